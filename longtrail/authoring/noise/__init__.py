"""Recording noise: everyday tasks played for real on the embedded web, and told as an agent would tell them."""
