-- The settings of this host. Flags and environment variables override what stands here; a key that
-- is left out has the default that the README lists.
return {
  name = "elicitation-server",
  version = "0.1.0",

  -- Seconds of the host's own time a call may take. A person's thinking is not counted.
  call_timeout = 30,

  -- Seconds a person may take to answer.
  answer_timeout = 600,
}
