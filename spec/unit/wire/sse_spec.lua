local sse = require("unit").sse

describe("sse", function()
  it("writes an event as its type, its id and its data, closed by a blank line", function()
    assert.equal('event: message\nid: a-1\ndata: {"x":1}\n\n', sse.event("a-1", '{"x":1}'))
  end)

  it("leaves the id line out when there is no id", function()
    assert.equal("event: message\ndata: {}\n\n", sse.event("", "{}"))
  end)

  it("can write an event that carries nothing but an id", function()
    assert.equal("event: message\nid: 0\nretry: 1000\ndata: \n\n", sse.event("0", ""))
  end)

  it("keeps a stream awake with a comment, which is no event", function()
    assert.equal(": keepalive\n\n", sse.keepalive())
  end)

  it("runs two writes together as two events", function()
    local stream = sse.event("", "1") .. sse.keepalive() .. sse.event("", "2")
    local data = {}
    for line in stream:gmatch("[^\n]+") do data[#data + 1] = line:match("^data: (.*)$") end
    assert.same({ "1", "2" }, data)
  end)
end)
