/* What the parts of `sightline._native` share. Plain C99 and the stable interface of CPython 3.11 alone: buffers come
   in, bytes, tuples and lists of Python objects go out, and every kernel has a twin in Python that says what is right. */

#ifndef SIGHTLINE_KERNELS_H
#define SIGHTLINE_KERNELS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A growing column of numbers. */
typedef struct { int32_t *at; Py_ssize_t count, room; } Ints;

/* A string as bytes that belong to somebody else. */
typedef struct { const char *at; Py_ssize_t length; uint64_t hash; } Slice;

/* Strings numbered by first appearance. */
typedef struct {
    Slice *strings;
    int32_t count, room;
    int32_t *slots; /* number + 1, or 0 */
    uint32_t mask;
    uint64_t key; /* odd */
} Numbering;

int ints_grow(Ints *ints);
static inline int ints_push(Ints *ints, int32_t value)
{
    if (ints->count == ints->room && ints_grow(ints) < 0)
        return -1;
    ints->at[ints->count++] = value;
    return 0;
}
PyObject *ints_bytes(const Ints *ints);

int numbering_begin(Numbering *numbering, int32_t room);
int32_t numbering_number(Numbering *numbering, const char *at, Py_ssize_t length);
void numbering_free(Numbering *numbering);

/* Read-only views of columns of plain numbers. A kernel says what each is, by a letter: `n` a number a node, `m` one more
   than that, `b` four a node, `v` a byte a node; `a` a number an attribute; `s` a byte a string, or a style. */
enum { MOST_COLUMNS = 12 };
enum { NODES, ATTRIBUTES, STRINGS, GROUPS }; /* of which each column has as many rows as the others of its group */
typedef struct {
    const char *kinds;
    const void *at[MOST_COLUMNS];
    Py_ssize_t rows[GROUPS];
    Py_buffer views[MOST_COLUMNS];
    int begun;
} Columns;

/* For `PyArg_ParseTuple` and `O&`: takes the columns from a tuple of them. What is taken has to be given back. */
int columns_from(PyObject *tuple, void *columns);
void columns_end(Columns *columns);

int is_space(Py_UCS4 letter);
int is_blank(PyObject *string);
PyObject *collapsed(PyObject *string);
int says_something(PyObject *string, PyObject *mute);

PyObject *scan(PyObject *module, PyObject *args);
PyObject *blank(PyObject *module, PyObject *args);
PyObject *outline(PyObject *module, PyObject *args);
PyObject *shown(PyObject *module, PyObject *args);
PyObject *ink(PyObject *module, PyObject *args);
PyObject *characters(PyObject *module, PyObject *args);
PyObject *runs(PyObject *module, PyObject *args);
PyObject *drawn(PyObject *module, PyObject *args);

#endif
