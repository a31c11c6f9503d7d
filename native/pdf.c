/* What pdfium is asked by the thousand: the characters of a sheet, their runs, and what is drawn on it. Twin:
   `sightline.sources.pdf._asked`. pdfium is not linked: its functions come as a table of addresses from the library
   that Python has loaded, so there is one pdfium in the process, and nothing to be found when this is compiled. */

#include "kernels.h"

#include <math.h>

typedef void *Handle;
typedef int Ask(Handle), AskFloats(Handle, float *);
typedef Handle AskPart(Handle, int);
typedef int AskColour(Handle, unsigned *red, unsigned *green, unsigned *blue, unsigned *opaque);

/* In the order of `FUNCTIONS` of the twin. */
typedef struct {
    Ask *mark_of, *form_count, *type, *segment_count, *segment_type, *segment_closes;
    AskPart *char_object, *object, *segment;
    AskFloats *size_of, *matrix, *stroke_width;
    AskColour *fill_colour, *stroke_colour;
    Handle (*font_of)(Handle);
    Handle (*form_object)(Handle, unsigned long);
    int (*char_box)(Handle, int, float *);
    int (*draw_mode)(Handle, int *fills, int *strokes);
    int (*segment_point)(Handle, float *x, float *y);
    int (*bounds)(Handle, float *left, float *bottom, float *right, float *top);
} Pdfium;

/* The rows that are given back: `CHARACTER`, `RUN`, `SHAPE` and `SEGMENT` of the twin. */
typedef struct { uint64_t object; float box[4]; } Character;
typedef struct { uint64_t font; int32_t colour, mark; float size, matrix[6]; int32_t unused; } Run;
typedef struct { float matrix[6], bounds[4], width; int32_t kind, depth, filled, drawn, segments; } Shape;
typedef struct { float x, y; int32_t kind, closes; } Segment;

/* Kinds of shapes and segments, as pdfium has them; a rectangle is ours. */
enum { RECTANGLE = 0, PATH = 2, IMAGE = 3, FORM = 5, LINE_TO = 0 };

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

/* -- what is drawn ---------------------------------------------------------------------------------------------- */

typedef struct {
    Pdfium pdfium;
    int most_segments, most_of_one, most_objects, deepest_form, faint;
    double even;
    int objects, segments; /* that were looked at */
    Shape *shape;          /* where the next row goes */
    Segment *segment;      /* and the next of a path */
} Sheet;

static Segment segment_at(const Pdfium *pdfium, Handle path, int number)
{
    Handle segment = pdfium->segment(path, number);
    Segment row = {0, 0, pdfium->segment_type(segment), pdfium->segment_closes(segment)};
    pdfium->segment_point(segment, &row.x, &row.y);
    return row;
}

/* Whether the first three points of a path make a right angle along the sides of the page, as in a rectangle. */
static int is_upright(const Segment *at, const float *matrix, double even)
{
    double x[3], y[3], m[6];
    for (int number = 0; number < 6; number++)
        m[number] = matrix[number];
    for (int point = 0; point < 3; point++) {
        x[point] = m[0] * at[point].x + m[2] * at[point].y + m[4];
        y[point] = m[1] * at[point].x + m[3] * at[point].y + m[5];
    }
    int across = fabs(y[0] - y[1]) < even && fabs(x[1] - x[2]) < even;
    int down = fabs(x[0] - x[1]) < even && fabs(y[1] - y[2]) < even;
    return at[1].kind == LINE_TO && at[2].kind == LINE_TO && (across || down);
}

/* The colours and segments of a path, or the bounds of a rectangle; 0 where nothing of it is to be seen. */
static int add_path(Sheet *sheet, Handle path, Shape *shape)
{
    const Pdfium *pdfium = &sheet->pdfium;
    int fills, strokes, count = pdfium->segment_count(path);
    if (count < 2 || count > sheet->most_of_one || sheet->segments + count > sheet->most_segments
        || !pdfium->draw_mode(path, &fills, &strokes))
        return 0;
    sheet->segments += count;
    shape->filled = fills ? colour_by(pdfium->fill_colour, path, sheet->faint) : -1;
    shape->drawn = strokes ? colour_by(pdfium->stroke_colour, path, sheet->faint) : -1;
    if (shape->filled < 0 && shape->drawn < 0)
        return 0;
    for (int number = 0; number < count; number++)
        sheet->segment[number] = segment_at(pdfium, path, number);
    if (shape->drawn < 0 && (count == 4 || count == 5) && !shape->depth
        && is_upright(sheet->segment, shape->matrix, sheet->even)) {
        float *bounds = shape->bounds;
        shape->kind = RECTANGLE;
        pdfium->bounds(path, &bounds[0], &bounds[1], &bounds[2], &bounds[3]);
        return 1;
    }
    pdfium->stroke_width(path, &shape->width);
    shape->segments = count;
    sheet->segment += count;
    return 1;
}

/* An object, or none, and what is in it if it is a form. */
static void add_object(Sheet *sheet, Handle object, int depth)
{
    const Pdfium *pdfium = &sheet->pdfium;
    int kind = object ? pdfium->type(object) : 0;
    sheet->objects += object != NULL;
    if (kind != PATH && kind != IMAGE && (kind != FORM || depth == sheet->deepest_form))
        return;
    Shape shape = {.matrix = {1, 0, 0, 1, 0, 0}, .kind = kind, .depth = depth};
    pdfium->matrix(object, shape.matrix);
    if (kind != PATH || add_path(sheet, object, &shape))
        *sheet->shape++ = shape;
    int count = kind == FORM ? pdfium->form_count(object) : 0;
    for (int number = 0; number < count && sheet->objects < sheet->most_objects; number++)
        add_object(sheet, pdfium->form_object(object, (unsigned long)number), depth + 1);
}

/* drawn(functions, page, count, (most segments, most of one path, most objects, deepest form, faint), even) -> a Shape
   for each image, form and visible path, and the Segments of those paths that are no rectangles, one after another. */
PyObject *drawn(PyObject *Py_UNUSED(module), PyObject *args)
{
    Sheet sheet = {.objects = 0};
    Py_ssize_t page, count;
    if (!PyArg_ParseTuple(args, "O&nn(iiiii)d", pdfium_from, &sheet.pdfium, &page, &count, &sheet.most_segments,
                          &sheet.most_of_one, &sheet.most_objects, &sheet.deepest_form, &sheet.faint, &sheet.even))
        return NULL;
    Shape *shapes = sheet.shape = malloc(((size_t)sheet.most_objects + 1) * sizeof *shapes);
    Segment *segments = sheet.segment = malloc(((size_t)sheet.most_segments + 1) * sizeof *segments);
    PyObject *made = NULL;
    if (shapes && segments) {
        for (int number = 0; number < count && sheet.objects < sheet.most_objects; number++)
            add_object(&sheet, sheet.pdfium.object((Handle)page, number), 0);
        made = Py_BuildValue("(y#y#)", shapes, (sheet.shape - shapes) * (Py_ssize_t)sizeof *shapes, segments,
                             (sheet.segment - segments) * (Py_ssize_t)sizeof *segments);
    } else
        PyErr_NoMemory();
    free(shapes);
    free(segments);
    return made;
}
