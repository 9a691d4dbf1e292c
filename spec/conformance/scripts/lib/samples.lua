-- The smallest of each: a grey pixel, and a millisecond of silence.
return {
  png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNo"
    .. "AAAAggCB2kUIOwAAAABJRU5ErkJggg==",
  wav = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==",
}
