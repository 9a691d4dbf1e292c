-- What a handler may ask of its client: the questions behind ctx:elicit, ctx:elicit_url,
-- ctx:sample, ctx:roots and ctx:ask, one alone or several together.
local host = ...
local check = host.part "check"
local sampling = host.part "sampling"

local questions = {}

local REASKS = 3
local ON_INVALID = { reask = true, ["return"] = true, error = true }
local ACTIONS = { accept = true, decline = true, cancel = true }

local FORM = {
  message = "string",
  requestedSchema = "table",
  key = "string",
  on_invalid = "string",
}

local URL = { message = "string", url = "string", key = "string", required = "boolean" }
local ROOTS = { key = "string" }

-- The answer with an action that is one of the three and content that is a table, so that no script
-- trips over what a client left out. Anything but a clear answer is a cancel.
local function elicited(result)
  if type(result) ~= "table" then result = {} end
  return {
    action = ACTIONS[result.action] and result.action or "cancel",
    content = type(result.content) == "table" and result.content or {},
    valid = true,
  }
end

local function read_form(question, result)
  local answer = elicited(result)
  if answer.action == "accept" then
    local given = result.content
    if given == nil or given == host.null then given = {} end -- a form nobody touched
    answer.problems = host.check_content(question.params.requestedSchema, given)
    answer.valid = answer.problems == nil
  end
  if not answer.valid and question.on_invalid == "error" then
    host.fail("The answer does not fit the form: " .. answer.problems)
  end
  return answer
end

-- The same form once more, with what was wrong with the answer.
local function correct_form(question, problems)
  local again = {}
  for field, value in pairs(question) do again[field] = value end
  again.params = {}
  for field, value in pairs(question.params) do again.params[field] = value end
  again.params.message = question.message .. "\n\nPlease correct: " .. problems
  return again
end

--- Returns a question that asks for a form to be filled in, or nil and what is wrong with
--- `options`; `what` is what it is called.
function questions.form(what, options)
  local problem = check.fields(what, options, FORM)
    or (not options.message and what .. ": message is missing")
    or (not options.requestedSchema and what .. ": requestedSchema is missing")
  if problem then return nil, problem end
  local on_invalid = options.on_invalid or "reask"
  if not ON_INVALID[on_invalid] then
    return nil, ("%s: on_invalid must be \"reask\", \"return\" or \"error\", not \"%s\"")
      :format(what, on_invalid)
  end
  return {
    what = what,
    key = options.key,
    method = "elicitation/create",
    capabilities = "elicitation.form",
    params = {
      mode = "form",
      message = options.message,
      requestedSchema = options.requestedSchema,
    },
    message = options.message,
    on_invalid = on_invalid,
    read = read_form,
    correct = correct_form,
  }
end

local function read_url(_, result)
  return { action = elicited(result).action }
end

--- Returns a question that sends a person to a URL; as questions.form.
function questions.url(what, options)
  local problem = check.fields(what, options, URL)
    or (not options.message and what .. ": message is missing")
    or (not options.url and what .. ": url is missing")
  if problem then return nil, problem end
  return {
    what = what,
    key = options.key,
    method = "elicitation/create",
    capabilities = "elicitation.url",
    params = { mode = "url", message = options.message, url = options.url },
    required = options.required,
    read = read_url,
  }
end

local function roots_problem(roots)
  if type(roots) ~= "table" then return "roots must be a list" end
  for i, root in ipairs(roots) do
    if type(root) ~= "table" or type(root.uri) ~= "string" or root.uri:sub(1, 7) ~= "file://" then
      return ("roots[%d].uri must be a file:// URI"):format(i)
    end
    if root.name ~= nil and type(root.name) ~= "string" then
      return ("roots[%d].name must be a string"):format(i)
    end
  end
end

local function read_roots(_, result)
  local problem = type(result) ~= "table" and "it must be an object" or roots_problem(result.roots)
  if problem then host.fail("The client's answer to roots/list is malformed: " .. problem) end
  return result.roots
end

--- Returns a question for the folders that the client works in; as questions.form.
function questions.roots(what, options)
  local problem = check.fields(what, options, ROOTS)
  if problem then return nil, problem end
  return { what = what, key = options.key, method = "roots/list", capabilities = "roots",
    read = read_roots }
end

questions.sample = sampling.question

-- Asks what is open and notes the answers. Returns the questions that have to be asked again.
local function ask_once(ctx, open, answers)
  local results = host.ask(ctx, open)
  if #open == 1 then results = { results } end
  local again = {}
  for i, question in ipairs(open) do
    local answer = question:read(results[i])
    answers[question.at] = answer
    if question.on_invalid == "reask" and not answer.valid then
      again[#again + 1] = question:correct(answer.problems)
    end
  end
  return again
end

--- Asks the questions of a list together. Returns the list of their answers.
function questions.ask(ctx, list)
  local answers = {}
  local open = list
  for i, question in ipairs(list) do question.at = i end
  for _ = 0, REASKS do
    open = ask_once(ctx, open, answers)
    if #open == 0 then return answers end
  end
  host.fail("The form was not filled in correctly: " .. answers[open[1].at].problems)
end

-- What makes the question of an entry of ctx:ask: its method says, or what it has in it.
local function maker(options)
  if options.method == "roots/list" then return questions.roots end
  if options.method == "sampling/createMessage" or options.messages ~= nil then
    return questions.sample
  end
  if options.method ~= nil and options.method ~= "elicitation/create" then return nil end
  return options.url ~= nil and questions.url or questions.form
end

local function build(name, options)
  local what = "ctx:ask: " .. name
  if type(options) ~= "table" then
    return nil, ("%s must be a table, a question, not %s"):format(what, check.a(options))
  end
  if options.key ~= nil then
    return nil, what .. ": its key is the name that it stands under; leave `key` out"
  end
  local make = maker(options)
  if not make then
    return nil, what .. ': method must be "elicitation/create", "sampling/createMessage" or '
      .. '"roots/list"'
  end
  local params = {}
  for field, value in pairs(options) do params[field] = value end
  params.method = nil
  local question, problem = make(what, params)
  if question then question.key = name end
  return question, problem
end

--- Returns the questions of a table of them as a list in the order of their keys, so that a replay
--- asks in the same order; or nil and what is wrong with it.
function questions.list(options)
  if type(options) ~= "table" or next(options) == nil then
    return nil, "ctx:ask: give it a table of questions, after a colon: ctx:ask { name = { … } }"
  end
  local names, list = {}, {}
  for name in pairs(options) do
    if type(name) ~= "string" then
      return nil, "ctx:ask: each question needs a name, a string: ctx:ask { name = { … } }"
    end
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    local question, problem = build(name, options[name])
    if not question then return nil, problem end
    list[i] = question
  end
  return list
end

return questions
