"""What a process needs to run: settings, logs, clock, alarms, shutdown."""
