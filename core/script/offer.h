/* One thing that a script offers to clients: what mcp.tool, mcp.prompt, mcp.resource or
 * mcp.resource_template registered.
 *
 * Words. **offer**: any of the four. **kind**: which. **key**: what a client asks for it by, unique
 * within its kind: the name of a tool or prompt, the URI of a resource, the text of a template.
 *
 * To add a kind: a name here and a row in the table of offer.c, its table of fields in
 * prelude/, and the methods that list and run it. */
#ifndef LUNASK_SCRIPT_OFFER_H
#define LUNASK_SCRIPT_OFFER_H

#include "base/arena.h"
#include "schema/schema.h"

struct param_header;
struct uri_template;
struct vm;

enum offer_kind { OFFER_TOOL, OFFER_PROMPT, OFFER_RESOURCE, OFFER_TEMPLATE, OFFER_KINDS };

/* The lists that clients are told of when they change: a set of bits. Templates have no
 * notification of their own and go with the resources. */
enum offer_list { OFFER_LIST_TOOLS = 1, OFFER_LIST_PROMPTS = 2, OFFER_LIST_RESOURCES = 4 };

/* Whether a tool may be called as a task: execution.taskSupport. */
enum offer_task { OFFER_TASK_FORBIDDEN, OFFER_TASK_OPTIONAL, OFFER_TASK_REQUIRED };

/* Never changes once its script is loaded, but for `handle`. Texts live in `arena`. */
struct offer {
    struct offer *next; /* of the same script, in the order of registration */
    enum offer_kind kind;
    struct bytes key, name;
    struct bytes json;        /* the object that stands in the list: a Tool, Prompt, Resource … */
    struct bytes legacy_json; /* the same for versions that can't have its outputSchema, or empty */
    struct schema *input;     /* of the arguments of a tool or prompt; NULL for the others */
    struct schema *output;    /* of a tool's structuredContent; NULL: it says nothing of it */
    struct param_header *headers; /* that repeat arguments of a tool (param_headers.h) */
    struct uri_template *uris;    /* which URIs it answers for; of a template */
    struct vm *vm;                /* of the script */
    struct bytes script;          /* its name: the owner of its rows */
    struct bytes file;            /* where it was registered, as Lua names it: "scripts/x.lua" */
    int line;                     /* 0: not known */
    bool completes;               /* it has `complete` */
    enum offer_task task;         /* of a tool … */
    bool asks_first; /* … which has `task`, and becomes one when its handler is done */
    int handle;      /* registry reference to the table given to mcp.tool … */
    struct arena arena;
};

/* What people call the kind: "tool", "prompt", "resource", "resource template". */
const char *offer_kind_text(enum offer_kind kind);

/* The member of `json` that is the key: "name", "uri", "uriTemplate". */
const char *offer_kind_key(enum offer_kind kind);

enum offer_list offer_kind_list(enum offer_kind kind);

void offer_free_all(struct offer *first);

#endif
