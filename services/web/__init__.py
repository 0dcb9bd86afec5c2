"""The page's static files; today `verify.js` alone, which checks a match anywhere."""
