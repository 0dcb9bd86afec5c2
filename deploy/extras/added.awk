# The pins of the second lock that the first has not; a pin is a line and those below it that begin with a space.
function end() {
  if (from == 2 && !(pin in had)) printf "%s", pin
  if (from == 1) had[pin]
  pin = ""
}
/^[^ ]/ { end(); from = (NR == FNR) ? 1 : 2 }
{ pin = pin $0 "\n" }
END { end() }
