local cjson = require "cjson"
local script = require "support.script"

local USER = "{ role = 'user', content = mcp.text 'Hi' }"
local TOOLS = "tools = { { name = 'add', inputSchema = { type = 'object' } } }"

-- A run of `code`, which has `mcp`; `asked` gets { method, capabilities, params } of its question.
local function run(code, asked)
  return script.handle(code, {}, {
    ask = function(_, method, capabilities, params)
      if asked then asked[1], asked[2], asked[3] = method, capabilities, cjson.decode(params) end
    end,
  })
end

describe("ctx:sample", function()
  after_each(script.clean)

  it("sends what it is given, and needs what that needs", function()
    for options, needs in pairs {
      [""] = "sampling",
      ["includeContext = 'none'"] = "sampling",
      ["includeContext = 'thisServer'"] = "sampling sampling.context",
      [TOOLS] = "sampling.tools",
      ["toolChoice = { mode = 'none' }"] = "sampling.tools",
    } do
      local asked = {}
      assert.equal("parked", run(("ctx:sample { key = 'k', messages = { %s }, maxTokens = 5, %s }")
        :format(USER, options), asked).state)
      assert.equal("sampling/createMessage", asked[1])
      assert.equal(needs, asked[2])
      assert.equal(5, asked[3].maxTokens)
      assert.same({ { role = "user", content = { type = "text", text = "Hi" } } },
        asked[3].messages)
      assert.is_nil(asked[3].key)
    end
  end)

  it("says at the script's line what is wrong with its options", function()
    local function messages(text, more)
      return ("ctx:sample { maxTokens = 1, messages = { %s }, %s }"):format(text, more or "")
    end
    local use = "{ role = 'assistant', content = { type = 'tool_use', id = 'i', name = 'add', "
      .. "input = {} } }"
    local function result(id, more)
      return (", { role = 'user', content = { { type = 'tool_result', toolUseId = '%s', "
        .. "content = {} } %s } }"):format(id, more or "")
    end
    for code, text in pairs {
      ["ctx:sample()"] = "ctx:sample: give it a table with messages and maxTokens, after a colon: "
        .. "ctx:sample { … }",
      ["ctx:sample { maxTokens = 1 }"] = "ctx:sample: messages is missing",
      ["ctx:sample { messages = { " .. USER .. " } }"] = "ctx:sample: maxTokens is missing",
      ["ctx:sample { messages = { " .. USER .. " }, maxTokens = 1.5 }"] =
        "ctx:sample: maxTokens must be a whole number of at least 1",
      ["ctx:sample { messages = { " .. USER .. " }, maxTokens = 0 }"] =
        "ctx:sample: maxTokens must be a whole number of at least 1",
      ["ctx:sample { messages = { " .. USER .. " }, maxToken = 1 }"] =
        "ctx:sample: unknown field 'maxToken' (did you mean 'maxTokens'?)",
      [messages ""] = "ctx:sample: messages must be a list of at least one",
      [messages "'Hi'"] = 'ctx:sample: messages[1].role must be "user" or "assistant"',
      [messages "{ role = 'system', content = mcp.text 'Hi' }"] =
        'ctx:sample: messages[1].role must be "user" or "assistant"',
      [messages "{ role = 'user', content = 'Hi' }"] =
        "ctx:sample: messages[1].content must be content, or a list of it",
      [messages "{ role = 'user', content = { { type = 'text' } } }"] =
        "ctx:sample: messages[1].content[1].text must be a string, not nil",
      [messages(USER, "includeContext = 'all'")] =
        'ctx:sample: includeContext must be "none", "thisServer" or "allServers"',
      [messages(USER, "tools = {}")] = "ctx:sample: tools must be a list of at least one",
      [messages(USER, "tools = { { name = 'add' } }")] =
        "ctx:sample: tools[1] needs a name and an inputSchema",
      [messages(USER, "toolChoice = { mode = 'any' }")] =
        'ctx:sample: toolChoice.mode must be "auto", "required" or "none"',
      [messages(use)] = "ctx:sample: messages[2] must have the tool_result of 'i'",
      [messages(use .. result "j")] = "ctx:sample: messages[2] must have the tool_result of 'i'",
      [messages(USER .. result "i")] = "ctx:sample: messages[2] has a tool_result of 'i', which "
        .. "messages[1] does not use",
      [messages(result("i"):sub(3))] = "ctx:sample: messages[1] has a tool_result of 'i', which "
        .. "no message before it uses",
      [messages(use .. result("i", ", mcp.text 'and'"))] =
        "ctx:sample: messages[2] has a tool_result, so it must have nothing else",
    } do
      assert.equal("scripts/x.lua:2: " .. text, run("\n" .. code):reason(), code)
    end
  end)

  local ASK = ("return require 'json'.encode(ctx:sample { messages = { %s }, maxTokens = 5, %%s })")
    :format(USER)

  it("returns the message that was made, of one block or of many", function()
    for tools, result in pairs {
      [""] = '{"role":"assistant","content":{"type":"text","text":"Yes"},"model":"m"}',
      [TOOLS] = '{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use",'
        .. '"id":"i","name":"add","input":{"n":1}}],"model":"m","stopReason":"toolUse"}',
    } do
      local sampled = run(ASK:format(tools))
      sampled:resume_text(result)
      assert.same(cjson.decode(result), cjson.decode(sampled:text()))
    end
  end)

  it("fails with what is wrong with a result that is none", function()
    for result, why in pairs {
      ["7"] = "it must be an object",
      ["null"] = "it must be an object",
      ["[]"] = "model must be a string",
      ['{"action":"accept"}'] = "model must be a string",
      ['{"model":1}'] = "model must be a string",
      ['{"model":"m"}'] = 'result.role must be "user" or "assistant"',
      ['{"model":"m","role":"assistant"}'] = "result.content must be content, or a list of it",
      ['{"model":"m","role":"assistant","content":[]}'] =
        "result.content must be content, or a list of it",
      ['{"model":"m","role":"assistant","content":"Hi"}'] =
        "result.content must be content, or a list of it",
      ['{"model":"m","role":"assistant","content":{"type":"text","text":1}}'] =
        "result.content[1].text must be a string, not a number",
      ['{"model":"m","role":"assistant","content":[{"type":"image","data":""}]}'] =
        "result.content[1].mimeType must be a string, not nil",
      ['{"model":"m","role":"assistant","content":{"type":"tool_use","id":"i","name":"n",'
        .. '"input":{}}}'] = "it uses a tool, and had none",
    } do
      local sampled = run(ASK:format "")
      sampled:resume_text(result)
      assert.equal("The client's answer to sampling/createMessage is malformed: " .. why,
        (sampled:failure()), result)
    end
  end)
end)
