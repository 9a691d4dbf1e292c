-- Both eras behind one face, for what must be true in each.
--
--   for _, era in ipairs(eras) do
--     describe("booking in the " .. era.name .. " era", function() … era.connect(host) … end)
--   end

return { require "support.modern", (require "support.legacy") }
