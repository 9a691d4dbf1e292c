-- connect_github sends people's browsers to this host, and waits for them.
return {
  name = "support",
  public_url = "http://127.0.0.1:3000",
  grants = { support = { callback = true } },
}
