/* The module `sightline._native`: kernels for what plain Python does too slowly. See `sightline.native`. */

#include "kernels.h"

static PyMethodDef methods[] = {
    {"scan", scan, METH_VARARGS, "The columns of a page from the serialisation of its tree, or None."},
    {"blank", blank, METH_VARARGS, "Which nodes are texts of nothing but blanks."},
    {"shown", shown, METH_VARARGS, "Which nodes of a page without layout are visible."},
    {"ink", ink, METH_VARARGS, "Which nodes of a page with a layout leave ink."},
    {"outline", outline, METH_VARARGS, "The readable texts of a page and the elements around them, in symbols."},
    {"characters", characters, METH_VARARGS, "The characters of a sheet of a PDF: their objects and boxes."},
    {"runs", runs, METH_VARARGS, "Fonts, colours, marks, sizes and matrices of text objects."},
    {"drawn", drawn, METH_VARARGS, "Images, forms and paths of a sheet of a PDF."},
    {NULL, NULL, 0, NULL},
};

/* What this was compiled from, which the build tells: one of other sources is not used. */
static int tell_sources(PyObject *module)
{
    return PyModule_AddStringConstant(module, "SOURCES", SOURCES);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, tell_sources}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sightline._native",
    .m_doc = "Kernels in C; each has a twin in Python.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
