/* Columns that grow, strings numbered by first appearance, and columns that come from Python. */

#include "kernels.h"

enum { FIRST_ROOM = 1024 };

int ints_grow(Ints *ints)
{
    Py_ssize_t room = ints->room ? 2 * ints->room : FIRST_ROOM;
    int32_t *at = realloc(ints->at, (size_t)room * sizeof *at);
    if (!at) {
        PyErr_NoMemory();
        return -1;
    }
    ints->at = at;
    ints->room = room;
    return 0;
}

PyObject *ints_bytes(const Ints *ints)
{
    return PyBytes_FromStringAndSize((const char *)ints->at, ints->count * (Py_ssize_t)sizeof(int32_t));
}

/* Eight bytes at a time, by a key that nobody knows beforehand, so that no page can have strings made to collide. */
static uint64_t hash_of(const char *at, Py_ssize_t length, uint64_t key)
{
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = (uint64_t)length ^ key;
    uint64_t word;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * odd;
        hash = (hash ^ (hash >> 32)) * key;
    }
    if (length) {
        word = 0;
        memcpy(&word, at, (size_t)length);
        hash = (hash ^ word) * odd;
        hash = (hash ^ (hash >> 32)) * key;
    }
    return hash ^ (hash >> 32);
}

/* Twice as many places as before. */
static int numbering_grow(Numbering *numbering)
{
    uint32_t slots = 2 * (numbering->mask + 1), mask = slots - 1;
    int32_t *larger = calloc(slots, sizeof *larger);
    Slice *strings = realloc(numbering->strings, (size_t)slots / 2 * sizeof *strings);
    if (strings)
        numbering->strings = strings;
    if (!larger || !strings) {
        free(larger);
        PyErr_NoMemory();
        return -1;
    }
    for (int32_t number = 0; number < numbering->count; number++) {
        uint32_t slot = (uint32_t)strings[number].hash & mask;
        while (larger[slot])
            slot = (slot + 1) & mask;
        larger[slot] = number + 1;
    }
    free(numbering->slots);
    numbering->slots = larger;
    numbering->mask = mask;
    numbering->room = (int32_t)(slots / 2);
    return 0;
}

int numbering_begin(Numbering *numbering, int32_t room)
{
    uint32_t half = FIRST_ROOM / 2;
    PyObject *any = PyUnicode_FromString("key"); /* whose hash is another one in every process */
    while (half < (uint32_t)room)
        half *= 2;
    *numbering = (Numbering){.mask = half - 1, .key = any ? (uint64_t)PyObject_Hash(any) | 1 : 1};
    Py_XDECREF(any);
    return any ? numbering_grow(numbering) : -1;
}

/* The number of a string, a new one where it is new; -1 where memory is out. The bytes must outlive the numbering. */
int32_t numbering_number(Numbering *numbering, const char *at, Py_ssize_t length)
{
    if (numbering->count == numbering->room && numbering_grow(numbering) < 0)
        return -1;
    uint64_t hash = hash_of(at, length, numbering->key);
    uint32_t slot = (uint32_t)hash & numbering->mask;
    for (; numbering->slots[slot]; slot = (slot + 1) & numbering->mask) {
        const Slice *known = &numbering->strings[numbering->slots[slot] - 1];
        if (known->hash == hash && known->length == length && memcmp(known->at, at, (size_t)length) == 0)
            return numbering->slots[slot] - 1;
    }
    numbering->strings[numbering->count] = (Slice){at, length, hash};
    numbering->slots[slot] = ++numbering->count;
    return numbering->count - 1;
}

void numbering_free(Numbering *numbering)
{
    free(numbering->slots);
    free(numbering->strings);
}

/* One more column; 0 with an exception where it is none, one of other numbers, or of another length. */
static int next_column(Columns *columns, PyObject *tuple)
{
    char kind = columns->kinds[columns->begun];
    int item_size = kind == 'v' || kind == 's' ? 1 : 4;
    Py_buffer *view = &columns->views[columns->begun];
    PyObject *column = PyTuple_GetItem(tuple, columns->begun);
    if (!column || PyObject_GetBuffer(column, view, PyBUF_C_CONTIGUOUS) < 0)
        return 0;
    columns->at[columns->begun++] = view->buf;
    Py_ssize_t *rows = &columns->rows[kind == 'a' ? ATTRIBUTES : kind == 's' ? STRINGS : NODES];
    Py_ssize_t items = view->len / item_size;
    if (kind != 'm' && kind != 'b' && *rows < 0)
        *rows = items;
    if (view->itemsize != item_size)
        PyErr_Format(PyExc_TypeError, "a column has items of %zd bytes, not of %d", view->itemsize, item_size);
    else if (*rows >= INT32_MAX || items != (kind == 'm' ? *rows + 1 : kind == 'b' ? 4 * *rows : *rows))
        PyErr_Format(PyExc_ValueError, "a column has %zd items, which does not go with %zd of others", items, *rows);
    return !PyErr_Occurred();
}

int columns_from(PyObject *tuple, void *address)
{
    Columns *columns = address;
    memset(columns->rows, -1, sizeof columns->rows);
    while (tuple && columns->kinds[columns->begun])
        if (!next_column(columns, tuple))
            tuple = NULL;
    if (tuple)
        return Py_CLEANUP_SUPPORTED; /* called again without a tuple if an argument behind this one is wrong */
    columns_end(columns);
    return 0;
}

void columns_end(Columns *columns)
{
    while (columns->begun)
        PyBuffer_Release(&columns->views[--columns->begun]);
}
