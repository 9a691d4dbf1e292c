-- Starts the bare server and lunask, checks each request once, measures, and prints the table.
-- Started by run.sh, which made the folder given as the first argument: the servers' scripts are in
-- its scripts/, and the servers whose pids are in its *.pid are ended by run.sh in any case.

local socket = require "socket"
local requests = dofile("spec/bench/requests.lua")

local FOLDER = assert(arg[1], "usage: sh spec/bench/run.sh")
local ONLY_BARE = arg[2] == "bare"
local SECONDS = math.max(1, tonumber(os.getenv("LUNASK_BENCH_SECONDS") or 3) // 1)
local ROUNDS = 5
local STARTS = 5
local CONNECTIONS = { 1, 16 }
local PATIENCE = 5           -- seconds to wait for a server
local TICK = 10000           -- microseconds of a tick in /proc/PID/stat
local DEFAULT_REPLY = 390    -- bytes, when there is no lunask to ask

local LUNASK = (os.getenv("LUNASK") or "build/lunask") .. " serve --scripts " .. FOLDER
  .. "/scripts --listen 127.0.0.1:0 --store memory:"

-- Where there are two processors, one is the servers' and one the client's: where the system puts
-- both by itself changes from run to run, and with it the result by half.
local PINNED = os.execute("taskset -c 1 true 2>/dev/null")
local ON_SERVER, ON_CLIENT = PINNED and "taskset -c 0 " or "", PINNED and "taskset -c 1 " or ""

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function read_file(name)
  local file = io.open(name)
  if not file then return "" end
  local text = file:read("a")
  file:close()
  return text
end

local function port_in(text)
  return text:match("http://127%.0%.0%.1:(%d+)") or text:match("^(%d+)\n")
end

-- The process that does the work: the child of a supervisor, or the server itself.
local function worker_of(pid)
  return read_file(("/proc/%s/task/%s/children"):format(pid, pid)):match("%d+") or pid
end

-- Starts `command` in the background and returns it as {pid, port} once it says where it listens.
local function start(name, command)
  local base = FOLDER .. "/" .. name
  assert(os.execute(("%s%s >%s.log 2>&1 & echo $! >%s.pid"):format(ON_SERVER, command, base,
    base)))
  local deadline = socket.gettime() + PATIENCE
  repeat
    local port = port_in(read_file(base .. ".log"))
    if port then
      return { pid = worker_of(read_file(base .. ".pid"):match("%d+")), port = port }
    end
    socket.sleep(0.01)
  until socket.gettime() > deadline
  error(name .. " didn't start:\n" .. read_file(base .. ".log"))
end

-- Posts `request` and returns the status and the body of the reply.
local function post(port, request)
  local link = assert(socket.connect("127.0.0.1", port))
  link:settimeout(PATIENCE)
  local head = { "POST /mcp HTTP/1.1", "Host: 127.0.0.1:" .. port,
    "Content-Length: " .. #request.body }
  for name, value in pairs(request.headers) do head[#head + 1] = name .. ": " .. value end
  assert(link:send(table.concat(head, "\r\n") .. "\r\n\r\n" .. request.body))
  local status = assert(link:receive("*l")):match("^HTTP/1%.1 (%d+)")
  local length
  repeat
    local line = assert(link:receive("*l"))
    length = length or line:lower():match("^content%-length: (%d+)")
  until line == ""
  assert(length, "a reply without Content-Length")
  local body = assert(link:receive(tonumber(length)))
  link:close()
  return status, body
end

local function check(port, request)
  local status, body = post(port, request)
  assert(status == "200" and body:find(request.expected, 1, true),
    ("a wrong reply, status %s: %s\nto %s"):format(status, body, request.body))
  return body
end

local function cpu(pid)
  local user, system = read_file("/proc/" .. pid .. "/stat"):match(
    "%) %S" .. (" %S+"):rep(10) .. " (%d+) (%d+)")
  return (user + system) * TICK
end

local function rss(pid)
  return read_file("/proc/" .. pid .. "/status"):match("VmRSS:%s*(%d+)") / 1024
end

-- Runs wrk once and returns its figures, with the server's CPU time for each request.
local function load_once(server, name, connections, seconds)
  local before = cpu(server.pid)
  local pipe = assert(io.popen((ON_CLIENT .. "wrk -t1 -c%d -d%ds -s spec/bench/request.lua"
    .. " http://127.0.0.1:%s/mcp -- %s 2>&1"):format(connections, seconds, server.port, name)))
  local text = pipe:read("a")
  pipe:close()
  local count, time, errors, p50, p99 = text:match("bench (%d+) (%d+) (%d+) (%d+) (%d+)")
  assert(count and count ~= "0", "wrk failed:\n" .. text)
  assert(errors == "0", ("%s of %s requests failed (%s)"):format(errors, count, name))
  return { rate = count / time * 1e6, p50 = p50 + 0, p99 = p99 + 0,
    cpu = (cpu(server.pid) - before) / count }
end

-- Alternates over all cases, so that a slow moment of the machine meets them all.
local function measure(cases)
  for _, case in ipairs(cases) do
    load_once(case.server, case.request, 16, 1)
    case.runs = {}
    for _, n in ipairs(CONNECTIONS) do case.runs[n] = {} end
  end
  for _ = 1, ROUNDS do
    for _, n in ipairs(CONNECTIONS) do
      for _, case in ipairs(cases) do
        table.insert(case.runs[n], load_once(case.server, case.request, n, SECONDS))
      end
    end
  end
end

local function figure(case, n, key)
  local values = {}
  for i, run in ipairs(case.runs[n]) do values[i] = run[key] end
  return median(values)
end

local function print_table(cases)
  print(("%-30s %5s %10s %6s %8s %8s %9s %9s %8s"):format("request", "conns", "requests/s", "/bare",
    "p50 ms", "p99 ms", "CPU us", "x bare", "RSS MB"))
  for _, n in ipairs(CONNECTIONS) do
    for _, case in ipairs(cases) do
      local used, rate = figure(case, n, "cpu"), figure(case, n, "rate")
      print(("%-30s %5d %10.0f %6.2f %8.2f %8.2f %9.1f %9.2f %8.1f"):format(case.title, n, rate,
        rate / figure(cases[1], n, "rate"), figure(case, n, "p50") / 1000,
        figure(case, n, "p99") / 1000, used, used / figure(cases[1], n, "cpu"),
        rss(case.server.pid)))
    end
  end
end

-- Starts `command`, posts `request` as soon as it listens, ends it; returns the milliseconds from
-- the start to the reply, and the resident megabytes then.
local function first_reply(command, request)
  local pipe = assert(io.popen(("echo $$ >%s/first.pid; echo $$; exec %s 2>&1"):format(FOLDER,
    command)))
  local pid = pipe:read("l")
  local begun = socket.gettime()
  local port
  repeat
    port = port_in(assert(pipe:read("L"), "the server ended before it listened"))
  until port
  post(port, request)
  local took, used = (socket.gettime() - begun) * 1000, rss(worker_of(pid))
  assert(os.execute("kill " .. pid))
  pipe:read("a")
  pipe:close()
  os.remove(FOLDER .. "/first.pid")
  return took, used
end

local function print_first_reply(name, command, request)
  local times, sizes = {}, {}
  for i = 1, STARTS do times[i], sizes[i] = first_reply(command, request) end
  print(("%s: first reply after start: %.1f ms (RSS then: %.1f MB)"):format(name, median(times),
    median(sizes)))
end

local function main()
  local lunask = not ONLY_BARE and start("lunask", LUNASK)
  local reply = lunask and #check(lunask.port, requests.echo) or DEFAULT_REPLY
  local bare_command = "build/spec/bare " .. reply
  local cases = { {
    title = ("bare, a reply of %d bytes"):format(reply),
    server = start("bare", bare_command), request = "echo",
  } }
  local function add(title, name)
    check(lunask.port, requests[name])
    cases[#cases + 1] = { title = title, server = lunask, request = name }
  end
  if lunask then
    add("tools/call echo", "echo")
    add("tools/list", "list")
    add("book_meeting, first round", "meeting")
  end
  measure(cases)
  print_table(cases)
  print_first_reply("bare", bare_command, requests.echo)
  if lunask then print_first_reply("lunask", LUNASK, requests.echo) end
end

local ok, message = xpcall(main, debug.traceback)
if not ok then
  io.stderr:write(message, "\n")
  os.exit(1) -- without closing pipes, which would wait for a server that still runs
end
