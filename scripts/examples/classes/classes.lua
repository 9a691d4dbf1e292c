-- classes: books a seat in a class once the person has said yes.
local mcp = require "mcp"

local CLASSES = {
  ["html-01"] = { title = "HTML semântico para agentes", seats = 3 },
  ["css-01"] = { title = "CSS sem surpresas", seats = 2 },
  ["lua-01"] = { title = "Lua em uma tarde", seats = 1 },
}

-- The seats left are in the store once one was booked.
local function seats_left(ctx, id)
  local row = ctx.store:get("seats", id)
  return row and row.left or CLASSES[id].seats
end

mcp.tool {
  name = "reservar_vaga",
  description = "Reserva uma vaga em uma turma. O usuário confirma antes.",
  inputSchema = { type = "object", required = { "turma_id", "email" }, properties = {
    turma_id = { type = "string", description = "html-01, css-01 ou lua-01" },
    email = { type = "string", format = "email" } } },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false },
  handler = function(args, ctx)
    ctx:require "elicitation.form"
    local id = args.turma_id
    local class = CLASSES[id]
    if not class then return nil, ("turma %s não existe"):format(id) end
    if seats_left(ctx, id) < 1 then return nil, ("turma %s sem vagas"):format(id) end

    local answer = ctx:elicit {
      key = "confirmar",
      message = ("Reservar 1 vaga em \"%s\" para %s?"):format(class.title, args.email),
      requestedSchema = { type = "object", required = { "confirmar" }, properties = {
        confirmar = { type = "boolean", title = "Confirmar" } } },
    }
    if answer.action ~= "accept" or not answer.content.confirmar then
      return nil, "reserva cancelada pelo usuário"
    end

    local left = seats_left(ctx, id) - 1 -- others may have booked while the person thought
    if left < 0 then return nil, ("turma %s sem vagas"):format(id) end
    ctx.store:put("seats", id, { left = left })
    return ("reservado: %s para %s (restam %d)"):format(id, args.email, left)
  end,
}
