/* What pdfium is asked by the thousand: the characters of a sheet and their runs. Twin:
   `sightline.sources.pdf._asked`. pdfium is not linked: its functions come as a table of addresses from the library
   that Python has loaded, so there is one pdfium in the process, and nothing to be found when this is compiled. */

#include "kernels.h"

typedef void *Handle;
typedef int AskColour(Handle, unsigned *red, unsigned *green, unsigned *blue, unsigned *opaque);

/* In the order of `FUNCTIONS` of the twin. */
typedef struct {
    int (*char_box)(Handle, int, float *);
    Handle (*char_object)(Handle, int);
    Handle (*font_of)(Handle);
    int (*size_of)(Handle, float *);
    int (*matrix)(Handle, float *);
    int (*mark_of)(Handle);
    AskColour *fill_colour;
} Pdfium;

/* The rows that are given back, `CHARACTER` and `RUN` of the twin. */
typedef struct { uint64_t object; float box[4]; } Character;
typedef struct { uint64_t font; int32_t colour, mark; float size, matrix[6]; int32_t unused; } Run;

/* Takes the addresses of the functions from an argument. */
static int pdfium_from(PyObject *bytes, void *pdfium)
{
    char *addresses;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &addresses, &size) < 0)
        return 0;
    if (size == sizeof(Pdfium))
        memcpy(pdfium, addresses, sizeof(Pdfium));
    else
        PyErr_SetString(PyExc_ValueError, "not the functions of pdfium that are needed");
    return size == sizeof(Pdfium);
}

/* 0xRRGGBB; -1 if there is none or it is invisible. */
static int32_t colour_by(AskColour *ask, Handle object, int faint)
{
    unsigned red, green, blue, opaque;
    if (!ask(object, &red, &green, &blue, &opaque) || opaque < (unsigned)faint)
        return -1;
    return (int32_t)(red << 16 | green << 8 | blue);
}

/* characters(functions, text page, count) -> a Character each; its object is 0 where pdfium invented it. */
PyObject *characters(PyObject *Py_UNUSED(module), PyObject *args)
{
    Pdfium pdfium;
    Py_ssize_t text, count;
    if (!PyArg_ParseTuple(args, "O&nn", pdfium_from, &pdfium, &text, &count))
        return NULL;
    PyObject *made = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(Character));
    Character *row = made ? (Character *)PyBytes_AsString(made) : NULL;
    for (int number = 0; made && number < count; number++, row++) {
        *row = (Character){.object = (uintptr_t)pdfium.char_object((Handle)text, number)};
        pdfium.char_box((Handle)text, number, row->box);
    }
    return made;
}

/* runs(functions, addresses of text objects, with marks, faint) -> a Run each. */
PyObject *runs(PyObject *Py_UNUSED(module), PyObject *args)
{
    Pdfium pdfium;
    const char *objects;
    Py_ssize_t size, each = sizeof(Handle);
    int marked, faint;
    if (!PyArg_ParseTuple(args, "O&y#pi", pdfium_from, &pdfium, &objects, &size, &marked, &faint))
        return NULL;
    PyObject *made = PyBytes_FromStringAndSize(NULL, size / each * (Py_ssize_t)sizeof(Run));
    Run *row = made ? (Run *)PyBytes_AsString(made) : NULL;
    for (; made && size >= each; size -= each, objects += each, row++) {
        Handle object;
        memcpy(&object, objects, sizeof object);
        *row = (Run){.font = (uintptr_t)pdfium.font_of(object), .matrix = {1, 0, 0, 1, 0, 0}};
        row->colour = colour_by(pdfium.fill_colour, object, faint);
        row->mark = marked ? pdfium.mark_of(object) : -1;
        pdfium.size_of(object, &row->size);
        pdfium.matrix(object, row->matrix);
    }
    return made;
}
