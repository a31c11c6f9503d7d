/* Growing columns, memory in pieces, and strings numbered by first appearance. */

#include "kernels.h"

enum { FIRST_ROOM = 1024, CHUNK_ROOM = 1 << 16 };

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

char *chunk_take(Chunk **last, size_t size)
{
    if (!*last || (*last)->room - (*last)->used < size) {
        size_t room = size > CHUNK_ROOM ? size : CHUNK_ROOM;
        Chunk *chunk = malloc(sizeof *chunk + room);
        if (!chunk) {
            PyErr_NoMemory();
            return NULL;
        }
        chunk->before = *last;
        chunk->used = 0;
        chunk->room = room;
        *last = chunk;
    }
    char *taken = (*last)->bytes + (*last)->used;
    (*last)->used += size;
    return taken;
}

void chunks_free(Chunk *last)
{
    while (last) {
        Chunk *before = last->before;
        free(last);
        last = before;
    }
}

/* Eight bytes at a time; good enough for a table of strings that are compared anyway. */
static uint64_t hash_of(const char *at, Py_ssize_t length)
{
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = (uint64_t)length * odd;
    uint64_t word;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    }
    if (length) {
        word = 0;
        memcpy(&word, at, (size_t)length);
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    }
    return hash ^ (hash >> 17);
}

int numbering_begin(Numbering *numbering, int32_t room)
{
    uint32_t slots = 1024;
    while (slots < 2 * (uint32_t)room)
        slots *= 2;
    numbering->count = 0;
    numbering->room = (int32_t)(slots / 2);
    numbering->mask = slots - 1;
    numbering->slots = calloc(slots, sizeof *numbering->slots);
    numbering->strings = malloc((size_t)numbering->room * sizeof *numbering->strings);
    if (!numbering->slots || !numbering->strings) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

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

/* The number of a string, a new one where it is new; -1 where memory is out. The bytes must outlive the numbering. */
int32_t numbering_number(Numbering *numbering, const char *at, Py_ssize_t length)
{
    if (numbering->count == numbering->room && numbering_grow(numbering) < 0)
        return -1;
    uint64_t hash = hash_of(at, length);
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

int column_begin(PyObject *from, Py_buffer *view, Py_ssize_t item_size)
{
    if (PyObject_GetBuffer(from, view, PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (view->itemsize != item_size) {
        PyErr_Format(PyExc_TypeError, "a column has items of %zd bytes, not of %zd", view->itemsize, item_size);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}
