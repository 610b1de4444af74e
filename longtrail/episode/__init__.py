"""Episode: task + world + browser + agent + noise -> Trajectory. Read `runner` first."""
