#include "wire/json_keys.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Equal keys keep the order of the text, so that the later one is the repetition. */
static int compare(const void *a, const void *b)
{
    const struct json *x = *(const struct json *const *)a;
    const struct json *y = *(const struct json *const *)b;
    int order = bytes_compare(x->text, y->text);
    return order != 0 ? order : (x > y) - (x < y);
}

/* For few keys: no calls through pointers, and linear on those that are in order. */
static void insertion_sort(const struct json **at, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct json *key = at[i];
        size_t j = i;
        for (; j > 0 && compare(&at[j - 1], &key) > 0; j--)
            at[j] = at[j - 1];
        at[j] = key;
    }
}

void json_keys_sort(struct json_keys *keys, const struct json *object)
{
    keys->count = object->count;
    keys->at = keys->few;
    if (keys->count > JSON_KEYS_FEW)
        keys->at = mem_realloc(NULL, keys->count * sizeof(const struct json *));
    size_t n = 0;
    for (const struct json *key = json_first(object); key; key = json_next(object, key))
        keys->at[n++] = key;
    if (n > JSON_KEYS_FEW)
        qsort(keys->at, n, sizeof keys->at[0], compare);
    else
        insertion_sort(keys->at, n);
}

void json_keys_free(struct json_keys *keys)
{
    if (keys->at != keys->few) free(keys->at);
    keys->at = NULL;
}

/* Repetitions stand together once sorted; told is the first of them in the text, where a person
 * would find it. */
static const struct json *repeated_of_many(const struct json *object)
{
    struct json_keys keys;
    const struct json *first = NULL;
    json_keys_sort(&keys, object);
    for (uint32_t i = 1; i < keys.count; i++) {
        const struct json *key = keys.at[i];
        if (bytes_equal(key->text, keys.at[i - 1]->text) && (!first || key < first)) first = key;
    }
    json_keys_free(&keys);
    return first;
}

/* Comparing every pair is the cheaper way for the objects messages are made of. */
const struct json *json_keys_repeated(const struct json *object)
{
    if (object->count > JSON_KEYS_FEW) return repeated_of_many(object);
    const struct json *seen[JSON_KEYS_FEW];
    const struct json *key = object + 1;
    for (uint32_t n = 0; n < object->count; n++) {
        for (uint32_t i = 0; i < n; i++) {
            if (seen[i]->text.n == key->text.n &&
                memcmp(seen[i]->text.p, key->text.p, key->text.n) == 0)
                return key;
        }
        seen[n] = key;
        key += 1 + key[1].span;
    }
    return NULL;
}
