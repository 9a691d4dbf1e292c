#include "script/output.h"

static const struct json *parse(struct bytes members, struct arena *arena)
{
    struct json_error fault;
    if (bytes_starts(members, BYTES("{"))) return json_parse(arena, members, &JSON_LIMITS, &fault);
    struct buf text = {0};
    buf_addc(&text, '{');
    buf_add(&text, members);
    buf_addc(&text, '}');
    const struct json *json =
        json_parse(arena, arena_copy(arena, buf_bytes(&text)), &JSON_LIMITS, &fault);
    buf_free(&text);
    return json;
}

bool output_fits(const struct offer *tool, struct bytes fields, struct buf *reasons)
{
    struct arena arena = {0};
    const struct json *result = parse(fields, &arena);
    const struct json *value = json_get(result, "structuredContent");
    bool fits = false;
    if (!result)
        buf_addz(reasons, "the result is too large to be checked");
    else if (!value)
        buf_addz(reasons, "structuredContent is missing: return mcp.structured(value)");
    else
        fits = schema_valid(tool->output, value, "structuredContent", reasons);
    arena_free(&arena);
    return fits;
}

bool output_is_modern(const struct json *tool)
{
    const struct json *schema = json_get(tool, "outputSchema");
    return schema && !bytes_equal(json_string(json_get(schema, "type")), BYTES("object"));
}

void output_without(struct bytes members, const char *name, struct buf *out)
{
    struct arena arena = {0};
    bool braces = bytes_starts(members, BYTES("{"));
    const struct json *object = parse(members, &arena);
    const char *before = braces ? "{" : "";
    for (const struct json *key = json_first(object); key; key = json_next(object, key)) {
        if (bytes_equal(key->text, bytes_of(name))) continue;
        buf_addz(out, before);
        buf_add(out, key->raw);
        buf_addc(out, ':');
        buf_add(out, json_value(key)->raw);
        before = ",";
    }
    if (braces) buf_addz(out, *before == '{' ? "{}" : "}");
    arena_free(&arena);
}
