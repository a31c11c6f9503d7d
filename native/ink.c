/* Which nodes of a page with a layout leave ink: boxes, cut by their ancestors, and styles that hide.
   Twin: `sightline.page._visibility`, whose rules these are; only maxima, minima and differences of float32 occur. */

#include "kernels.h"

#include <math.h>

enum { PARENT, END, TEXT, TAG, STYLE_OF, BOX, SEE_THROUGH, UNSEEN, POSITION, OVERFLOW_X, OVERFLOW_Y, INLINE };
enum { STATIC = 0, ABSOLUTE = 1, FIXED = 2 };
enum { SHOWN = 0, SCROLLED = 3 }; /* overflow: what is between is cut */

static const float SLIVER = 1.0f;

typedef struct { float edge[4]; } Clip; /* left, top, right, bottom */

/* What an element passes on to its children: the clip of boxes in the flow, and that of positioned ones. */
typedef struct { Clip flowing, positioned; } Clips;

/* As the maxima and minima of the twin, which are unknown where one side is. */
static Clip cut(Clip box, Clip by)
{
    for (int side = 0; side < 2; side++) {
        if (by.edge[side] > box.edge[side] || isnan(by.edge[side]))
            box.edge[side] = by.edge[side];
        if (by.edge[side + 2] < box.edge[side + 2] || isnan(by.edge[side + 2]))
            box.edge[side + 2] = by.edge[side + 2];
    }
    return box;
}

/* Larger than a sliver one way and larger than nothing the other. */
static int has_ink(const Clip *box)
{
    float width = box->edge[2] - box->edge[0], height = box->edge[3] - box->edge[1];
    if (isnan(width) || isnan(height))
        return 0;
    return (width < height ? width : height) > 0 && (width > height ? width : height) > SLIVER;
}

/* The rectangle to which an element cuts its content, side by side; scrolled content is cut if no opening is left. */
static Clip own_clip(const Clip *box, const unsigned char overflow[2], Clip everywhere)
{
    for (int side = 0; side < 2; side++) {
        int thin = box->edge[side + 2] - box->edge[side] <= SLIVER;
        if (overflow[side] != SHOWN && (overflow[side] < SCROLLED || thin)) {
            everywhere.edge[side] = box->edge[side];
            everywhere.edge[side + 2] = box->edge[side + 2];
        }
    }
    return everywhere;
}

static void find_ink(const Columns *columns, const int *window, float right, Clips *clips, char *is)
{
    const void *const *at = columns->at;
    const int32_t *parent = at[PARENT], *end = at[END], *text = at[TEXT], *tag = at[TAG], *style_of = at[STYLE_OF];
    const Clip *boxes = at[BOX];
    const unsigned char *see_through = at[SEE_THROUGH], *unseen = at[UNSEEN], *position = at[POSITION];
    const unsigned char *overflow_x = at[OVERFLOW_X], *overflow_y = at[OVERFLOW_Y], *in_line = at[INLINE];
    const Clip everywhere = {{-INFINITY, -INFINITY, INFINITY, INFINITY}};
    const Clips root = {everywhere, everywhere};
    int32_t hidden_up_to = 0, styles = (int32_t)columns->rows[STRINGS];
    for (int32_t node = 0; node < columns->rows[NODES]; node++) {
        int32_t style = style_of[node] < 0 ? style_of[node] + styles : style_of[node];
        const Clip *box = &boxes[node];
        const Clips *above = parent[node] >= 0 && parent[node] < node ? &clips[parent[node]] : &root;
        if (style < 0 || style >= styles) {
            PyErr_SetString(PyExc_IndexError, "a node has a style that is none");
            return;
        }
        const Clip *applied = position[style] == ABSOLUTE ? &above->positioned
            : position[style] == FIXED                    ? &everywhere
                                                          : &above->flowing;
        int boxed = !isnan(box->edge[0]), is_window = tag[node] == window[0] || tag[node] == window[1];
        int cuts = boxed && text[node] < 0 && !in_line[style] && !is_window;
        unsigned char overflow[2] = {overflow_x[style], overflow_y[style]};
        clips[node].flowing = cuts ? cut(*applied, own_clip(box, overflow, everywhere)) : *applied;
        clips[node].positioned = position[style] == STATIC ? above->positioned : clips[node].flowing;
        if (see_through[style] && end[node] > hidden_up_to)
            hidden_up_to = end[node];
        Clip left = cut(*box, *applied);
        is[node] = (char)(boxed && node >= hidden_up_to && !unseen[style] && has_ink(&left) && box->edge[2] > 0
                          && box->edge[3] > 0 && box->edge[0] < right);
    }
}

/* ink((parent, end, text, tag, style of, box, and a byte a style: see-through, unseen, position, overflow-x, overflow-y,
   inline), (html, body), right edge) -> a byte a node. */
PyObject *ink(PyObject *Py_UNUSED(module), PyObject *args)
{
    Columns columns = {.kinds = "nnnnnbssssss"};
    int window[2];
    float right;
    if (!PyArg_ParseTuple(args, "O&(ii)f", columns_from, &columns, &window[0], &window[1], &right))
        return NULL;
    Clips *clips = malloc(((size_t)columns.rows[NODES] + 1) * sizeof *clips);
    PyObject *made = clips ? PyBytes_FromStringAndSize(NULL, columns.rows[NODES]) : PyErr_NoMemory();
    if (made)
        find_ink(&columns, window, right, clips, PyBytes_AsString(made));
    if (PyErr_Occurred())
        Py_CLEAR(made);
    free(clips);
    columns_end(&columns);
    return made;
}
