---@meta mcp
-- luacheck: ignore
-- The types of what scripts have, for editors that know LuaCATS. Nothing here runs: the host makes
-- the module itself, and scripts/types is not loaded. To use it: "Lua.workspace.library":
-- ["scripts/types"] in the settings of lua-language-server.

---@class mcp.Icon
---@field src string an https: or data: URI
---@field mimeType? string
---@field sizes? string[] "48x48", "any"
---@field theme? "light"|"dark"

---@class mcp.Annotations
---@field audience? ("user"|"assistant")[]
---@field priority? number 0 to 1
---@field lastModified? string ISO 8601

---@class mcp.ToolAnnotations
---@field title? string
---@field readOnlyHint? boolean
---@field destructiveHint? boolean
---@field idempotentHint? boolean
---@field openWorldHint? boolean

---@class mcp.Content a block made by mcp.text, mcp.image and their kind
---@field type string
---@field annotations? mcp.Annotations
---@field _meta? table<string, any>

---@class mcp.ToolResult
---@field content? mcp.Content[]
---@field structuredContent? any
---@field isError? boolean
---@field _meta? table<string, any>

---@alias mcp.ToolReturn string|mcp.Content|mcp.Content[]|mcp.ToolResult|nil
---@alias mcp.Check fun(args: table): boolean|nil, string?
---@alias mcp.Complete fun(value: string, args: table<string, string>, ctx: mcp.Context): string[]|mcp.Completion

---@class mcp.Completion
---@field values string[] a hundred at most are sent
---@field total? integer
---@field hasMore? boolean

---@class mcp.Tool
---@field name? string default: the file's
---@field title? string
---@field description? string
---@field inputSchema? table JSON Schema of the arguments; default: none are taken
---@field outputSchema? table JSON Schema of structuredContent, which is checked against it
---@field annotations? mcp.ToolAnnotations
---@field icons? mcp.Icon[]
---@field _meta? table<string, any>
---@field check? mcp.Check runs before the handler; `return nil, "reason"` refuses
---@field execution? { taskSupport: "optional"|"required"|"forbidden" }
---@field handler fun(args: table, ctx: mcp.Context): mcp.ToolReturn, string?
---@field task? fun(args: table, ctx: mcp.Context, value: any): mcp.ToolReturn, string? goes on as a task with what the handler returned

---@class mcp.PromptArgument
---@field name string
---@field title? string
---@field description? string
---@field required? boolean

---@class mcp.Message
---@field role "user"|"assistant"
---@field content string|mcp.Content

---@class mcp.PromptResult
---@field description? string
---@field messages mcp.Message[]
---@field _meta? table<string, any>

---@class mcp.Prompt
---@field name? string default: the file's
---@field title? string
---@field description? string
---@field arguments? mcp.PromptArgument[]
---@field icons? mcp.Icon[]
---@field _meta? table<string, any>
---@field check? mcp.Check
---@field complete? table<string, string[]|mcp.Complete> by the name of the argument
---@field handler fun(args: table<string, string>, ctx: mcp.Context): string|mcp.Content|mcp.Message|mcp.Message[]|mcp.PromptResult|nil, string?

---@class mcp.ResourceContents
---@field uri? string default: the URI that is read
---@field mimeType? string default: the resource's
---@field text? string
---@field blob? string base64: mcp.base64(bytes)
---@field _meta? table<string, any>

---@class mcp.ResourceResult
---@field contents mcp.ResourceContents[]
---@field ttlMs? integer
---@field cacheScope? "public"|"private"
---@field _meta? table<string, any>

---@alias mcp.ResourceReturn string|mcp.ResourceContents|mcp.ResourceContents[]|mcp.ResourceResult|nil

---@class mcp.Resource
---@field uri string
---@field name? string default: the file's
---@field title? string
---@field description? string
---@field mimeType? string
---@field size? integer bytes
---@field annotations? mcp.Annotations
---@field icons? mcp.Icon[]
---@field _meta? table<string, any>
---@field ttlMs? integer how long clients may keep what they read
---@field cacheScope? "public"|"private" "public": it is the same for everybody
---@field text? string one of text, blob and handler
---@field blob? string
---@field handler? fun(args: table, ctx: mcp.Context): mcp.ResourceReturn, string?

---@class mcp.ResourceTemplate
---@field uriTemplate string {name}, {+path}, {?a,b} at the end
---@field name? string default: the file's
---@field title? string
---@field description? string
---@field mimeType? string
---@field annotations? mcp.Annotations
---@field icons? mcp.Icon[]
---@field _meta? table<string, any>
---@field ttlMs? integer
---@field cacheScope? "public"|"private"
---@field complete? table<string, string[]|mcp.Complete> by the name of the variable
---@field handler fun(args: table<string, string>, ctx: mcp.Context): mcp.ResourceReturn, string?

---@class mcp.ElicitOptions
---@field message string
---@field requestedSchema table a flat object schema of primitive fields
---@field key? string its name among the questions; default: by order
---@field on_invalid? "reask"|"return"|"error"

---@class mcp.Answer
---@field action "accept"|"decline"|"cancel"
---@field content table what the person filled in; empty unless accepted
---@field valid boolean whether the content fits the schema
---@field problems? string

---@class mcp.ElicitUrlOptions
---@field message string
---@field url string
---@field key? string
---@field required? boolean the call can only begin anew when what the URL is for is done

---@class mcp.FetchOptions
---@field url string
---@field method? "GET"|"HEAD"|"POST"|"PUT"|"PATCH"|"DELETE"
---@field headers? table<string, string>
---@field body? string

---@class mcp.Response
---@field status integer
---@field headers table<string, string>
---@field body string

---@class mcp.Row
---@field key string
---@field value any

---@class mcp.Store the script's own rows; writes are kept if the call ends without an error
local Store = {}

---@param script string
---@return mcp.Store
function Store:of(script) end

---@param collection string
---@param key string
---@return any
function Store:get(collection, key) end

---@param collection string
---@param options? { limit?: integer, after?: string }
---@return mcp.Row[]
function Store:list(collection, options) end

---@param collection string
---@return integer
function Store:count(collection) end

---@param collection string
---@param key string
---@param value any
function Store:put(collection, key, value) end

---@param collection string
---@param value any
---@return string key
function Store:append(collection, value) end

---@param collection string
---@param key string
function Store:delete(collection, key) end

---@class mcp.Client
---@field name string
---@field version string
---@field capabilities table

---@class mcp.Context what a handler has of its call
---@field store mcp.Store
---@field client mcp.Client
---@field era "legacy"|"modern"
---@field call_id string the same in every run of the call
---@field principal string empty when nobody logged in
---@field uri? string of a resource: the URI that is read
local Context = {}

---@param options mcp.ElicitOptions
---@return mcp.Answer
function Context:elicit(options) end

---@param options mcp.ElicitUrlOptions
---@return { action: "accept"|"decline"|"cancel" }
function Context:elicit_url(options) end

---@param key? string
function Context:elicit_complete(key) end

---@param options table the fields of sampling/createMessage, and key
---@return table message
function Context:sample(options) end

---@param options? { key?: string }
---@return { uri: string, name?: string }[]
function Context:roots(options) end

---@param questions table<string, table> the options of elicit, elicit_url or sample, by key
---@return table<string, any> answers by the same keys
function Context:ask(questions) end

---@generic T
---@param name string
---@param fn fun(): T
---@return T
function Context:once(name, fn) end

---@overload fun(self: mcp.Context, text: string|table)
---@param level "debug"|"info"|"notice"|"warning"|"error"|"critical"|"alert"|"emergency"
---@param data string|table
function Context:log(level, data) end

---@param progress number
---@param total? number
---@param message? string
function Context:progress(progress, total, message) end

--- Tells clients that subscribed to a resource that it has changed, if the call ends well.
---@param uri string
function Context:updated(uri) end

--- Waits, and lets others run meanwhile.
---@param seconds number 0 to 3600
function Context:sleep(seconds) end

--- Ends the call at once if the client can't do something.
---@param capability string "elicitation.form", "elicitation.url", "sampling", "roots", …
function Context:require(capability) end

--- A URL of this host, good for one visit of a browser. Only where granted.
---@return string
function Context:callback() end

--- Waits for that visit, and returns the parameters it brought.
---@return table<string, string>
function Context:await_callback() end

---@return boolean
function Context:close_stream() end

---@return boolean
function Context:cancelled() end

---@param capability string "elicitation.form", "elicitation.url", "sampling", "roots", …
---@return boolean
function Context:supports(capability) end

---@param name string
---@return string?
function Context:env(name) end

---@param path string
---@return string? bytes
function Context:read(path) end

---@param options mcp.FetchOptions
---@return mcp.Response
function Context:fetch(options) end

---@class mcp
---@field null userdata null of JSON
local mcp = {}

---@param definition mcp.Tool
function mcp.tool(definition) end

---@param definition mcp.Prompt
function mcp.prompt(definition) end

--- While the script loads: registers a resource. In a handler: makes an embedded resource.
---@overload fun(definition: mcp.Resource)
---@param contents mcp.ResourceContents
---@return mcp.Content
function mcp.resource(contents) end

---@param definition mcp.ResourceTemplate
function mcp.resource_template(definition) end

---@generic T: table
---@param list T
---@return T list an array of JSON, also when it is empty
function mcp.array(list) end

---@param bytes string
---@return string
function mcp.base64(bytes) end

---@param text string
---@return mcp.Content
function mcp.text(text) end

---@param data string base64
---@param mimeType string
---@return mcp.Content
function mcp.image(data, mimeType) end

---@param data string base64
---@param mimeType string
---@return mcp.Content
function mcp.audio(data, mimeType) end

---@param link { uri: string, name: string, title?: string, description?: string, mimeType?: string }
---@return mcp.Content
function mcp.link(link) end

---@param value any
---@return mcp.ToolResult
function mcp.structured(value) end

---@param text string
---@return mcp.ToolResult
function mcp.error(text) end

--- Ends the call with an error that shows `text`.
---@param text string
function mcp.fail(text) end

return mcp
