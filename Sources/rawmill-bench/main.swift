print("rawmill-bench")
