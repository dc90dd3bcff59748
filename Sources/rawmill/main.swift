print("rawmill")
