-- A script of wrk: sends the request of requests.lua named by its argument, and ends with the line
-- "bench REQUESTS MICROSECONDS ERRORS P50 P99" (the last two in microseconds).

function init(args)
  local request = dofile("spec/bench/requests.lua")[args[1]]
  wrk.method = "POST"
  wrk.body = request.body
  for name, value in pairs(request.headers) do wrk.headers[name] = value end
end

function done(summary, latency)
  local errors = 0
  for _, count in pairs(summary.errors) do errors = errors + count end
  io.write(("bench %d %d %d %d %d\n"):format(summary.requests, summary.duration, errors,
    latency:percentile(50), latency:percentile(99)))
end
