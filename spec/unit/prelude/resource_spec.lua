local script = require "support.script"

describe("mcp.resource", function()
  after_each(script.clean)

  it("says at the script's line what to mend", function()
    for fields, reason in pairs {
      ["handler = print"] = "uri is missing",
      ["uri = 'readme', text = ''"] = "uri must be a URI with a scheme",
      ["uri = 'a:b c', text = ''"] = "uri must be a URI with a scheme",
      ["uri = 'a:b'"] = "one of handler (a function(args, ctx)), text and blob must be given",
      ["uri = 'a:b', text = '', handler = print"] = "one of handler",
      ["uri = 'a:b', blob = 'no base64'"] = "blob must be base64: blob = mcp.base64(bytes)",
      ["uri = 'a:b', text = '', size = 1.5"] = "size must be a whole number of bytes",
      ["uri = 'a:b', text = '', ttlMs = -1"] = "ttlMs must be a whole number of milliseconds",
      ["uri = 'a:b', text = '', cacheScope = 'all'"] =
        'cacheScope must be "public" or "private"',
      ["uri = 'a:b', text = '', name = ''"] = "name must not be empty",
      ["uri = 'a:b', text = '', annotations = { audience = { 'all' } }"] =
        'annotations: audience must be a list of "user" and "assistant"',
      ["uri = 'a:b', text = '', annotations = { priority = 2 }"] =
        "annotations: priority must be from 0 to 1",
      ["uri = 'a:b', text = '', annotations = { lastModified = 'now' }"] =
        "annotations: lastModified must be a time of ISO 8601",
      ["uri = 'a:b', text = '', complete = {}"] = "unknown field 'complete'",
    } do
      local why = script.failure("local mcp = require 'mcp'\nmcp.resource { " .. fields .. " }")
      assert.truthy(why:find("scripts/x.lua:2: mcp.resource: " .. reason, 1, true), why)
    end
  end)
end)

describe("mcp.resource_template", function()
  after_each(script.clean)

  it("says at the script's line what to mend", function()
    for fields, reason in pairs {
      ["handler = print"] = "uriTemplate is missing",
      ["uriTemplate = 'a:{b}'"] = "handler is missing",
      ["uriTemplate = 'a:{b', handler = print"] = "uriTemplate: a '{' has no '}'",
      ["uriTemplate = 'a:{page}', handler = print, complete = { pag = {} }"] =
        "complete: unknown field 'pag' (did you mean 'page'?)",
      ["uriTemplate = 'a:{b}', handler = print, text = ''"] = "unknown field 'text'",
      ["uriTemplate = 'a:{b}', handler = print, size = 1"] = "unknown field 'size'",
    } do
      local why = script.failure("local mcp = require 'mcp'\nmcp.resource_template { "
        .. fields .. " }")
      assert.truthy(why:find("scripts/x.lua:2: mcp.resource_template: " .. reason, 1, true), why)
    end
  end)
end)
