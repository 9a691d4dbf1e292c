local match = require("unit").uri_template.match

describe("a URI template", function()
  local function matches(template, uri, json)
    assert.equal(json, match(template, uri), template .. " of " .. uri)
  end

  local function none(template, uri)
    assert.is_nil(match(template, uri), template .. " of " .. uri)
  end

  it("gives its variables what is in their places", function()
    matches("docs://{section}/{page}", "docs://api/index", '{"section":"api","page":"index"}')
    matches("docs://fixed", "docs://fixed", "{}")
    matches("a:{x}-{y}.txt", "a:1-2.txt", '{"x":"1","y":"2"}')
  end)

  it("lets a simple variable neither be empty nor cross a slash, a query or a fragment", function()
    for _, uri in ipairs { "docs://", "docs://a/b", "docs://a?b", "docs://a#b", "docs:/a", "x" } do
      none("docs://{page}", uri)
    end
  end)

  it("lets {+name} take anything, but not nothing", function()
    matches("file:///{+path}", "file:///a/b?c#d", '{"path":"a/b?c#d"}')
    none("file:///{+path}", "file:///")
    matches("file:///{+path}/{name}", "file:///a/b/c", '{"path":"a/b","name":"c"}')
  end)

  it("gives earlier variables as much as they can take", function()
    matches("a:{x}-{y}", "a:1-2-3", '{"x":"1-2","y":"3"}')
    matches("a:{x}{y}", "a:123", '{"x":"12","y":"3"}')
    none("a:{x}{y}", "a:1")
  end)

  it("takes the parameters of a query in any order, and each may be missing", function()
    local template = "search://{index}{?q,limit}"
    matches(template, "search://a", '{"index":"a"}')
    matches(template, "search://a?limit=3&q=x%20y", '{"index":"a","limit":"3","q":"x y"}')
    matches(template, "search://a?q=", '{"index":"a","q":""}')
    matches(template, "search://a?q=b=c", '{"index":"a","q":"b=c"}')
    for _, query in ipairs { "q", "q=1&q=2", "other=1", "&q=1", "=1", "index=b" } do
      none(template, "search://a?" .. query)
    end
  end)

  it("decodes values once, after they were split, and leaves what comes of it alone", function()
    matches("d://{p}", "d://a%2Fb%252e", '{"p":"a/b%2e"}')
    matches("d://{p}", "d://..%2f..", '{"p":"../.."}')
    matches("d://{p}", "d://%C3%A9+", '{"p":"é+"}')
    matches("d://{p}", "d://a%00", '{"p":"a\\u0000"}')
  end)

  it("does not give what is not encoded right", function()
    for _, value in ipairs { "%", "%2", "%zz", "a%2", "%C3", "%ff", "\xff" } do
      none("d://{p}", "d://" .. value)
    end
  end)

  it("gives no URI of more than 8 KiB, and takes no long time over one of them", function()
    none("d://{+p}", "d://" .. ("a"):rep(8192))
    local many = "d:" .. ("{+v%d}a"):rep(16):gsub("%%d", (function()
      local n = 0
      return function() n = n + 1 return n end
    end)())
    none(many, "d:" .. ("a"):rep(8000) .. "b")
  end)

  it("is refused where it is none, or one of a kind that is not supported", function()
    for template, reason in pairs {
      ["{x}"] = "it must begin with a scheme",
      ["1a:b"] = "it must begin with a scheme",
      ["a:{x"] = "a '{' has no '}'",
      ["a:x}"] = "lone '}'",
      ["a: b"] = "a space",
      ["a:{}"] = "a variable has no name",
      ["a:{+}"] = "a variable has no name",
      ["a:{x}{x}"] = "the variable x comes twice",
      ["a:{x}{?x}"] = "the variable x comes twice",
      ["a:{?x}b"] = "{?x} must be at the end",
      ["a:{x,y}"] = "{x,y} is not supported",
      ["a:{x*}"] = "{x*} is not supported",
      ["a:{x:3}"] = "{x:3} is not supported",
      ["a:{/x}"] = "{/x} is not supported",
      ["a:{?a}{?b}"] = "{?a} must be at the end",
      ["a:" .. "{?" .. ("a,b,c,d,e,f,g,h,"):rep(1) .. "i,j,k,l,m,n,o,p,q}"] =
        "a template has at most 16 variables",
    } do
      local result, why = match(template, "a:b")
      assert.is_false(result, template)
      assert.truthy(why:find(reason, 1, true), template .. ": " .. why)
    end
  end)
end)
