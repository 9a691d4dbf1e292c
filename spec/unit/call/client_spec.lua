local client = require("unit").client

describe("a client", function()
  for _, case in ipairs {
    { "{}", "elicitation", false },
    { "{}", "elicitation.form", false },
    { '{"elicitation":{}}', "elicitation", true },
    { '{"elicitation":{}}', "elicitation.form", true },
    { '{"elicitation":{}}', "elicitation.url", false },
    { '{"elicitation":{"form":{}}}', "elicitation.form", true },
    { '{"elicitation":{"form":{}}}', "elicitation.url", false },
    { '{"elicitation":{"url":{}}}', "elicitation", true },
    { '{"elicitation":{"url":{}}}', "elicitation.form", false },
    { '{"elicitation":{"url":{}}}', "elicitation.url", true },
    { '{"elicitation":{"form":{},"url":{}}}', "elicitation.form", true },
    { '{"elicitation":{"form":{},"url":{}}}', "elicitation.url", true },
    { '{"elicitation":null}', "elicitation", false },
    { '{"elicitation":true}', "elicitation.form", false },
    { '{"elicitation":{"form":false}}', "elicitation.form", false },
    { '{"elicitation":{"form":null,"url":{}}}', "elicitation.form", false },
    { '{"sampling":{}}', "sampling", true },
    { '{"sampling":{"tools":{}}}', "sampling.tools", true },
    { '{"sampling":{}}', "sampling.tools", false },
    { '{"roots":{"listChanged":true}}', "roots", true },
    { '{"roots":{"listChanged":true}}', "roots.listChanged", true },
    { '{"roots":{"listChanged":false}}', "roots.listChanged", false },
    { '{"a":{"b":{"c":{}}}}', "a.b.c", true },
    { '{"a":{"b":{"c":{}}}}', "a.c", false },
    { '{"elicitation":{}}', "elicitation.form.deep", false },
    { '{"elicitation":{}}', "", false },
    { '{"elicitation":{}}', ".", false },
    { '{"elicitation":{}}', "elicitation.", false },
    { '{"elicitation":{}}', "Elicitation", false },
  } do
    local capabilities, capability, expected = table.unpack(case)
    local verb = expected and "supports" or "does not support"
    it(("that declared %s %s '%s'"):format(capabilities, verb, capability), function()
      assert.equal(expected, client.supports(capabilities, capability))
    end)
  end

  for _, case in ipairs {
    { "2025-03-26", "elicitation", false }, { "2025-03-26", "elicitation.form", false },
    { "2025-03-26", "elicitation.url", false }, { "2025-03-26", "sampling", true },
    { "2025-03-26", "sampling.context", true }, { "2025-03-26", "sampling.tools", false },
    { "2025-03-26", "roots", true },
    { "2025-06-18", "elicitation.form", true }, { "2025-06-18", "elicitation.url", false },
    { "2025-06-18", "sampling.tools", false }, { "2025-06-18", "sampling.context", true },
    { "2025-11-25", "elicitation.url", true }, { "2025-11-25", "sampling.tools", true },
    { "2025-11-25", "sampling.context", false }, { "2026-07-28", "elicitation.url", true },
  } do
    local version, capability, expected = table.unpack(case)
    local verb = expected and "has" or "does not have"
    it(("of %s %s %s, whatever it declared"):format(version, verb, capability), function()
      local declared = '{"elicitation":{"url":{},"form":{}},"sampling":{"tools":{}},"roots":{}}'
      assert.equal(expected, client.supports(declared, capability, version))
    end)
  end

  it("that declared nothing supports nothing", function()
    for _, capability in ipairs { "elicitation", "elicitation.form", "sampling", "" } do
      assert.is_false(client.supports(nil, capability))
    end
  end)

  it("is told what it lacks as the object it would have to declare", function()
    assert.equal('{"elicitation":{"form":{}}}', client.required "elicitation.form")
    assert.equal('{"sampling":{}}', client.required "sampling")
    assert.equal('{"a":{"b":{"c":{}}}}', client.required "a.b.c")
    assert.equal('{"with\\"quotes\\"":{}}', client.required 'with"quotes"')
  end)

  it("is shown to scripts as it names itself", function()
    local shown = '{"name":"spec","version":"1","capabilities":{"roots":{"listChanged":true}}}'
    assert.equal(shown, client.write('{"version":"1","title":"T","name":"spec"}',
      '{ "roots": { "listChanged": true } }'))
  end)

  it("is shown to scripts in the same shape when it says nothing of itself", function()
    assert.equal('{"name":"","version":"","capabilities":{}}', client.write(nil, nil))
    assert.equal('{"name":"","version":"","capabilities":{}}', client.write('{"name":7}', "{}"))
  end)
end)
