local clock = require("unit").clock

describe("the clocks", function()
  it("only move forward in this process", function()
    local before = clock.mono_ms()
    assert.is_true(clock.mono_ms() >= before)
    assert.is_true(before > 0)
  end)

  it("tell the same time in milliseconds and in microseconds", function()
    local ms, us, later = clock.mono_ms(), clock.mono_us(), clock.mono_ms()
    assert.is_true(ms <= us // 1000 and us // 1000 <= later)
  end)

  it("tell the time of day in milliseconds", function()
    local seconds = os.time()
    assert.is_true(clock.wall_ms() >= seconds * 1000)
    assert.is_true(clock.wall_ms() < (seconds + 60) * 1000)
  end)

  it("count the CPU time of this thread in microseconds", function()
    local began, from = os.clock(), clock.cpu_us()
    repeat local used = clock.cpu_us() - from until used >= 2000 or os.clock() - began > 5
    assert.is_true(clock.cpu_us() - from >= 2000)
  end)
end)
