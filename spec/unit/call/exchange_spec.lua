local channel = require("unit").channel

describe("an exchange", function()
  local x

  before_each(function()
    x = channel.new { id = "7" }
  end)

  after_each(function()
    assert.is_table(x:told())
  end)

  it("replies once: a second reply is not sent", function()
    x:reply(200, "one")
    x:reply(500, "two")
    local told = x:told()
    assert.equal(1, told.replies)
    assert.equal(200, told.status)
    assert.equal("one", told.body)
    assert.is_false(told.open)
  end)

  it("sends nothing once its client is gone", function()
    x:say_gone()
    x:reply(200, "late")
    x:error("invalid", "late")
    x:event "late"
    x:send(200, "late")
    x:close_stream()
    assert.is_false(x:open_stream())
    local told = x:told()
    assert.equal(0, told.replies)
    assert.is_nil(told.status)
    assert.same({}, told.events)
    assert.is_false(told.opened)
  end)

  it("tells its era once that the client is gone", function()
    x:say_gone()
    x:say_gone()
    assert.equal(1, x:told().gone_told)
  end)

  it("does not tell its era of a client that leaves after the reply", function()
    x:reply(202)
    x:say_gone()
    assert.equal(0, x:told().gone_told)
  end)

  it("answers an error with the code's status, the request's id and its data", function()
    x:error("invalid", 'a "bad" name', '{"n":1}')
    local told = x:told()
    assert.equal(200, told.status)
    assert.equal('{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"a \\"bad\\" name",'
      .. '"data":{"n":1}}}', told.body)
    assert.is_nil(told.retry_after)
  end)

  it("tells a client to come back when the host is busy", function()
    x:error("busy", "later")
    local told = x:told()
    assert.equal(503, told.status)
    assert.equal(1, told.retry_after)
  end)

  it("sends what is final as the last event of a stream that is open", function()
    assert.is_true(x:open_stream())
    x:event '{"n":1}'
    x:send(200, '{"n":2}')
    x:send(200, '{"n":3}')
    local told = x:told()
    assert.same({ '{"n":1}', '{"n":2}' }, told.events)
    assert.is_true(told.closed)
    assert.equal(0, told.replies)
  end)

  it("sends what is final as the reply where no stream is open", function()
    x:send(200, '{"n":1}')
    local told = x:told()
    assert.equal('{"n":1}', told.body)
    assert.is_false(told.opened)
  end)

  it("sends an error as the last event of a stream that is open", function()
    assert.is_true(x:open_stream())
    x:error("busy", "later")
    local told = x:told()
    assert.equal(1, #told.events)
    assert.matches('"code":%-32603', told.events[1])
    assert.is_true(told.closed)
    assert.equal(0, told.replies)
  end)

  it("opens its stream once, however often it is asked to", function()
    assert.is_true(x:open_stream())
    assert.is_true(x:open_stream())
    x:close_stream()
    x:close_stream()
    x:event "late"
    assert.same({}, x:told().events)
    assert.is_false(x:open_stream())
  end)

  it("has no stream for a client that does not accept one, and can still reply", function()
    x = channel.new { streams = false }
    assert.is_false(x:open_stream())
    x:reply(200, "all the same")
    assert.equal("all the same", x:told().body)
  end)

  it("has no stream once it has replied", function()
    x:reply(200, "done")
    assert.is_false(x:open_stream())
    assert.is_false(x:told().opened)
  end)
end)
