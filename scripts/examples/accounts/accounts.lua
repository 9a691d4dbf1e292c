-- accounts: forms, one after the other, and steps that are taken in the browser.
local mcp = require "mcp"

local NOTHING = { type = "object" }

mcp.tool {
  name = "register_user",
  description = "Register a user. The user fills in a form.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    local answer = ctx:elicit {
      message = "Please fill in your account details.",
      requestedSchema = { type = "object", required = { "username", "email" }, properties = {
        username = { type = "string", title = "User name", minLength = 3, maxLength = 20 },
        email = { type = "string", title = "E-mail address", format = "email" },
        plan = { type = "string", title = "Plan", enum = { "free", "pro", "team" },
          enumNames = { "Free tier", "Pro", "Team" }, default = "free" } } },
    }
    if answer.action ~= "accept" then return "registration " .. answer.action end
    local form = answer.content
    return ("registered %s <%s> (plan: %s)"):format(form.username, form.email, form.plan or "free")
  end,
}

mcp.tool {
  name = "plan_trip",
  description = "Plan a trip. The user is asked for the destination, then for the dates.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    local where = ctx:elicit {
      key = "destination",
      message = "Where would you like to go?",
      requestedSchema = { type = "object", required = { "destination" }, properties = {
        destination = { type = "string", title = "Destination", minLength = 1 } } },
    }
    if where.action ~= "accept" then return "trip " .. where.action end
    local destination = where.content.destination

    local when = ctx:elicit {
      key = "dates",
      message = "When, and for how long?",
      requestedSchema = { type = "object", required = { "departure", "nights" }, properties = {
        departure = { type = "string", format = "date",
          title = "Departure date for " .. destination },
        nights = { type = "integer", title = "Nights", minimum = 1, maximum = 30 } } },
    }
    if when.action ~= "accept" then return "trip " .. when.action end
    return ("trip planned: %s on %s for %d nights"):format(destination, when.content.departure,
      when.content.nights)
  end,
}

-- As a part of a URL: all but RFC 3986's unreserved characters in percent-encoding.
local function encoded(text)
  return (text:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end))
end

mcp.tool {
  name = "link_account",
  description = "Link an account of another provider. The user allows it in the browser.",
  inputSchema = { type = "object", required = { "provider" }, properties = {
    provider = { type = "string", minLength = 1 } } },
  handler = function(args, ctx)
    local answer = ctx:elicit_url {
      message = "Allow this server to use your account there.",
      url = ("https://example.com/oauth/%s/authorize"):format(encoded(args.provider)),
    }
    if answer.action ~= "accept" then return "link " .. answer.action end
    ctx:elicit_complete() -- a real one waits here until the provider has said so
    return "linked " .. args.provider
  end,
}

mcp.tool {
  name = "confirm_payment",
  description = "Confirm a payment. The user does so in the browser.",
  inputSchema = { type = "object", required = { "cartId" }, properties = {
    cartId = { type = "string", minLength = 1 } } },
  handler = function(args, ctx)
    local answer = ctx:elicit_url {
      message = "Confirm the payment of your cart.",
      url = "https://example.com/confirm-payment?cart=" .. encoded(args.cartId),
      required = true,
    }
    if answer.action ~= "accept" then return "payment " .. answer.action end
    return "payment confirmed"
  end,
}
