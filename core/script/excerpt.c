#include "script/excerpt.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool find_line(struct bytes text, int line, struct bytes *line_r)
{
    while (bytes_split(&text, '\n', line_r))
        if (--line == 0) return true;
    return false;
}

/* Cut between two characters, not inside one. */
static struct bytes shortened(struct bytes line)
{
    if (line.n <= EXCERPT_BYTES) return line;
    line.n = EXCERPT_BYTES;
    while (line.n && ((unsigned char)line.p[line.n] & 0xC0) == 0x80)
        line.n--;
    return line;
}

/* Returns what stands between the last two quotes of the message, or nothing. */
static struct bytes last_quoted(struct bytes message)
{
    const char *end = message.n ? memrchr(message.p, '\'', message.n) : NULL;
    size_t before = end ? (size_t)(end - message.p) : 0;
    const char *begin = before ? memrchr(message.p, '\'', before) : NULL;
    if (!begin) return (struct bytes){NULL, 0};
    return (struct bytes){begin + 1, (size_t)(end - begin) - 1};
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* True if `token` at `at` is not a part of a longer word. */
static bool stands_alone(struct bytes line, size_t at, struct bytes token)
{
    size_t end = at + token.n;
    if (at > 0 && in_word(token.p[0]) && in_word(line.p[at - 1])) return false;
    return end == line.n || !in_word(token.p[token.n - 1]) || !in_word(line.p[end]);
}

static bool find_once(struct bytes line, struct bytes token, size_t *at_r)
{
    int found = 0;
    for (size_t at = 0; token.n && at + token.n <= line.n; at++) {
        if (memcmp(line.p + at, token.p, token.n) != 0 || !stands_alone(line, at, token)) continue;
        *at_r = at;
        found++;
    }
    return found == 1;
}

/* A tab or another control character takes one column here, so that the caret is in line. */
static void add_visible(struct buf *out, struct bytes line)
{
    for (size_t i = 0; i < line.n; i++)
        buf_addc(out, (unsigned char)line.p[i] < 0x20 || line.p[i] == 0x7f ? ' ' : line.p[i]);
}

bool excerpt_make(struct bytes text, int line, struct bytes message, struct buf *source,
                  struct buf *caret)
{
    struct bytes found;
    size_t blank = 0, at;
    char number[16];
    if (line < 1 || !find_line(text, line, &found)) return false;
    found = shortened(found);
    while (blank < found.n && isspace((unsigned char)found.p[blank]))
        blank++;
    if (blank == found.n) return false;
    if (!find_once(found, last_quoted(message), &at)) at = blank;
    int width = snprintf(number, sizeof number, "%4d", line);
    buf_printf(source, "%s | ", number);
    add_visible(source, found);
    buf_printf(caret, "%*s | ", width, "");
    for (size_t i = 0; i < at; i++)
        if (((unsigned char)found.p[i] & 0xC0) != 0x80) buf_addc(caret, ' ');
    buf_addc(caret, '^');
    return true;
}
