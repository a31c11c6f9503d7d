/* Which nodes of a page without layout are visible, by their markup alone. Twin: `sightline.page._visibility`. */

#include "kernels.h"

/* The numbers of the strings that matter. */
typedef struct { int hidden, style, type, unseen, input, noscript; } Words;

/* Whether some attributes hide their element: `hidden`, a style that hides, or the type of an input that nobody sees. One
   without a value is none, and of several with one name the last counts. */
static int hide(const Columns *columns, int32_t row, int32_t stop, int32_t tag, const Words *words)
{
    const int32_t *name = columns->at[3], *value = columns->at[4];
    const unsigned char *hiding = columns->at[6];
    int marked = 0, styled = 0, unseen = 0;
    for (; row >= 0 && row < stop && row < columns->rows[ATTRIBUTES]; row++)
        if (name[row] == words->style)
            styled = value[row] >= 0 && value[row] < columns->rows[STRINGS] && hiding[value[row]];
        else if (name[row] == words->type)
            unseen = value[row] >= 0 && value[row] == words->unseen && tag == words->input;
        else if (name[row] == words->hidden)
            marked = value[row] >= 0;
    return marked || styled || unseen;
}

/* shown((end, tag, attribute start, name, value, never shown tags, hiding styles), (hidden, style, type,
   the value `hidden` of it, input, noscript)) -> a byte a node. The last two columns have a byte a string. */
PyObject *shown(PyObject *Py_UNUSED(module), PyObject *args)
{
    Columns columns = {.kinds = "nnmaass"};
    Words words;
    if (!PyArg_ParseTuple(args, "O&(iiiiii)", columns_from, &columns, &words.hidden, &words.style, &words.type,
                          &words.unseen, &words.input, &words.noscript))
        return NULL;
    const int32_t *end = columns.at[0], *tag = columns.at[1], *start = columns.at[2];
    const unsigned char *never = columns.at[5];
    PyObject *made = PyBytes_FromStringAndSize(NULL, columns.rows[NODES]);
    char *is = made ? PyBytes_AsString(made) : NULL;
    int32_t hidden_up_to = 0;
    for (int32_t node = 0; made && node < columns.rows[NODES]; node++) {
        /* A `noscript` with elements in it was read as elements, for readers without scripts. */
        int known = tag[node] >= 0 && tag[node] < columns.rows[STRINGS], inside = end[node] > node + 2;
        int hidden = node < hidden_up_to || (known && never[tag[node]] && !(tag[node] == words.noscript && inside));
        hidden = hidden || hide(&columns, start[node], start[node + 1], tag[node], &words);
        if (hidden && end[node] > hidden_up_to)
            hidden_up_to = end[node];
        is[node] = (char)!hidden;
    }
    columns_end(&columns);
    return made;
}
