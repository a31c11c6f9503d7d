/* Which nodes of a page without layout are visible, by their markup alone. Twin: `sightline.page._visibility`. */

#include "kernels.h"

enum { COLUMNS = 7, END = 0, TAG, ATTRIBUTE_START, ATTRIBUTE_NAME, ATTRIBUTE_VALUE, NEVER, HIDES };

/* The numbers of the strings that matter. */
typedef struct {
    int hidden, style, type, unseen, input, noscript;
} Words;

/* Whether an attribute hides its element: `hidden`, a style that hides, or the type of an input that nobody sees. */
static int hides(const int32_t *name, const int32_t *value, int32_t row, int32_t tag, const unsigned char *hiding,
                 const Words *words)
{
    if (name[row] == words->style)
        return hiding[value[row]];
    if (name[row] == words->type)
        return tag == words->input && value[row] == words->unseen;
    return name[row] == words->hidden;
}

/* shown((end, tag, attribute start, name, value, never shown tags, hiding styles), (hidden, style, type,
   the value `hidden` of it, input, noscript)) -> a byte a node. The last two columns have a byte a string. */
PyObject *shown(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *columns[COLUMNS], *made = NULL;
    Py_buffer views[COLUMNS];
    Words words;
    int begun = 0;
    if (!PyArg_ParseTuple(args, "(OOOOOOO)(iiiiii)", &columns[0], &columns[1], &columns[2], &columns[3], &columns[4],
                          &columns[5], &columns[6], &words.hidden, &words.style, &words.type, &words.unseen,
                          &words.input, &words.noscript))
        return NULL;
    for (; begun < COLUMNS; begun++)
        if (column_begin(columns[begun], &views[begun], begun < NEVER ? 4 : 1) < 0)
            break;
    if (begun == COLUMNS) {
        const int32_t *end = views[END].buf, *tag = views[TAG].buf, *start = views[ATTRIBUTE_START].buf;
        const int32_t *name = views[ATTRIBUTE_NAME].buf, *value = views[ATTRIBUTE_VALUE].buf;
        const unsigned char *never = views[NEVER].buf, *hiding = views[HIDES].buf;
        Py_ssize_t nodes = views[END].len / 4;
        made = PyBytes_FromStringAndSize(NULL, nodes);
        char *is = made ? PyBytes_AsString(made) : NULL;
        int32_t hidden_up_to = 0;
        for (int32_t node = 0; made && node < nodes; node++) {
            /* A `noscript` with elements in it was read as elements, for readers without scripts. */
            int hidden = node < hidden_up_to || (never[tag[node]] && !(tag[node] == words.noscript && end[node] - node > 2));
            for (int32_t row = start[node]; !hidden && row < start[node + 1]; row++)
                hidden = hides(name, value, row, tag[node], hiding, &words);
            if (hidden && end[node] > hidden_up_to)
                hidden_up_to = end[node];
            is[node] = (char)!hidden;
        }
    }
    while (begun--)
        PyBuffer_Release(&views[begun]);
    return made;
}
