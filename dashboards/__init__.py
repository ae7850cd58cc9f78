"""What operators look at: Prometheus rules, and dashboards as code."""
