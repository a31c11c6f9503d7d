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

/* The rows that are given back, `CHARACTER`, `RUN` and `DRAWN` of the twin. */
typedef struct { uint64_t object; float box[4]; } Character;
typedef struct { uint64_t font; int32_t colour, mark; float size, matrix[6]; int32_t unused; } Run;
typedef struct { double left, top, right, bottom; int32_t colour, kind; } Drawn; /* upwards */

enum { LINE_TO = 0, BEZIER_TO = 1, MOVE_TO = 2, PATH = 2, IMAGE = 3, FORM = 5 }; /* of pdfium */
enum { RULE, PICTURE, DRAWING };                                                 /* kinds of what is drawn */

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

/* As in Python, the first of two unless the second is less or more: that matters where one is not a number. */
#define LEAST(first, second) ((second) < (first) ? (second) : (first))
#define MOST(first, second) ((second) > (first) ? (second) : (first))

typedef struct { double x, y; } Point;
typedef struct { double a, b, c, d, e, f; } Matrix;

typedef struct {
    Pdfium pdfium;
    int most_segments, most_of_one, most_objects, most_drawings, deepest_form, faint;
    double even, straight, smallest_drawing;
    Ints rows; /* what was found so far, each Drawn as so many numbers */
    int segments, objects, drawings, failed;
    int32_t filled, drawn; /* the colours of the path at hand, or -1 */
    double half;           /* of the width of its lines */
    Point *points;         /* of a stretch of it */
} Sheet;

static void put(Sheet *sheet, Drawn row, int32_t colour, int32_t kind)
{
    int32_t numbers[sizeof row / sizeof(int32_t)];
    row.colour = colour, row.kind = kind;
    sheet->drawings += kind == DRAWING;
    memcpy(numbers, &row, sizeof row);
    for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++)
        sheet->failed |= ints_push(&sheet->rows, numbers[at]) < 0;
}

/* The matrix of an object and then that of the forms around it, if there are any. */
static Matrix placed(const Pdfium *pdfium, Handle object, const Matrix *above)
{
    float m[6] = {1, 0, 0, 1, 0, 0};
    pdfium->matrix(object, m);
    double a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5];
    if (!above)
        return (Matrix){a, b, c, d, e, f};
    Matrix n = *above;
    return (Matrix){a * n.a + b * n.c, a * n.b + b * n.d,       c * n.a + d * n.c,
                    c * n.b + d * n.d, e * n.a + f * n.c + n.e, e * n.b + f * n.d + n.f};
}

static Point moved(const Matrix *m, double x, double y)
{
    return (Point){m->a * x + m->c * y + m->e, m->b * x + m->d * y + m->f};
}

static Drawn edges(const Point *points, int count)
{
    Drawn box = {points->x, points->y, points->x, points->y, 0, 0};
    for (const Point *point = points + 1; point < points + count; point++) {
        box.left = LEAST(box.left, point->x);
        box.top = MOST(box.top, point->y);
        box.right = MOST(box.right, point->x);
        box.bottom = LEAST(box.bottom, point->y);
    }
    return box;
}

/* Whether all points lie in the corners of the box around them. */
static int is_rectangle(Drawn box, const Point *points, int count, double even)
{
    for (const Point *p = points; p < points + count; p++)
        if (!(LEAST(fabs(p->x - box.left), fabs(p->x - box.right)) +
              LEAST(fabs(p->y - box.top), fabs(p->y - box.bottom)) < even))
            return 0;
    return 1;
}

/* Remember where something bent or slanted is drawn. */
static void draw(Sheet *sheet, Drawn box)
{
    double wide = box.right - box.left, tall = box.top - box.bottom;
    if (sheet->drawings < sheet->most_drawings && MOST(wide, tall) > sheet->smallest_drawing)
        put(sheet, box, -1, DRAWING);
}

static void stroke(Sheet *sheet, const Point *ends)
{
    Drawn b = edges(ends, 2);
    double half = sheet->half;
    if (fabs(ends[0].x - ends[1].x) < sheet->straight || fabs(ends[0].y - ends[1].y) < sheet->straight)
        put(sheet, (Drawn){b.left - half, b.top + half, b.right + half, b.bottom - half, 0, 0}, sheet->drawn, RULE);
    else
        draw(sheet, b);
}

/* A stretch that was drawn without lifting the pen: the rectangle that it fills, and the lines that it draws. */
static void finish(Sheet *sheet, int count, int curved)
{
    if (count < 2)
        return;
    Drawn box = edges(sheet->points, count);
    if (curved)
        draw(sheet, box);
    else if (sheet->filled >= 0 && count >= 4 && count <= 6 && is_rectangle(box, sheet->points, count, sheet->even))
        put(sheet, box, sheet->filled, RULE);
    for (int at = 1; !curved && sheet->drawn >= 0 && at < count; at++)
        stroke(sheet, sheet->points + at - 1);
}

/* All stretches of a path; a segment adds two points at most, itself and the way back to the first. */
static void add_stretches(Sheet *sheet, Handle path, const Matrix *matrix, int segments)
{
    const Pdfium *pdfium = &sheet->pdfium;
    float at[2] = {0, 0}, first[2] = {0, 0};
    int count = 0, curved = 0;
    for (int number = 0; number < segments; number++) {
        Handle segment = pdfium->segment(path, number);
        int kind = pdfium->segment_type(segment);
        pdfium->segment_point(segment, &at[0], &at[1]);
        if (kind == MOVE_TO) {
            finish(sheet, count, curved);
            count = curved = 0;
        }
        if (!count)
            memcpy(first, at, sizeof at);
        sheet->points[count++] = moved(matrix, at[0], at[1]);
        curved = curved || kind == BEZIER_TO;
        if (count > 1 && (first[0] != at[0] || first[1] != at[1]) && pdfium->segment_closes(segment))
            sheet->points[count++] = sheet->points[0];
    }
    finish(sheet, count, curved);
}

/* Whether the first three points of a path make a right angle along the sides of the page, as in a rectangle. */
static int is_upright(const Pdfium *pdfium, Handle path, const Matrix *matrix, double even)
{
    Point p[3];
    for (int number = 0; number < 3; number++) {
        Handle segment = pdfium->segment(path, number);
        float x = 0, y = 0;
        if (number && pdfium->segment_type(segment) != LINE_TO)
            return 0;
        pdfium->segment_point(segment, &x, &y);
        p[number] = moved(matrix, x, y);
    }
    return (fabs(p[0].y - p[1].y) < even && fabs(p[1].x - p[2].x) < even) ||
           (fabs(p[0].x - p[1].x) < even && fabs(p[1].y - p[2].y) < even);
}

/* The straight lines and filled rectangles of a path; a grid is often drawn as one path. */
static void add_path(Sheet *sheet, Handle path, const Matrix *m, int in_form)
{
    const Pdfium *pdfium = &sheet->pdfium;
    int fills, strokes, count = pdfium->segment_count(path);
    if (count < 2 || count > sheet->most_of_one || sheet->segments + count > sheet->most_segments ||
        !pdfium->draw_mode(path, &fills, &strokes))
        return;
    sheet->segments += count;
    sheet->filled = fills ? colour_by(pdfium->fill_colour, path, sheet->faint) : -1;
    sheet->drawn = strokes ? colour_by(pdfium->stroke_colour, path, sheet->faint) : -1;
    if (sheet->filled < 0 && sheet->drawn < 0)
        return;
    float left = 0, bottom = 0, right = 0, top = 0, width = 0;
    if (sheet->drawn < 0 && (count == 4 || count == 5) && !in_form && is_upright(pdfium, path, m, sheet->even)) {
        pdfium->bounds(path, &left, &bottom, &right, &top);
        put(sheet, (Drawn){left, top, right, bottom, 0, 0}, sheet->filled, RULE);
        return;
    }
    pdfium->stroke_width(path, &width);
    sheet->half = width * sqrt(fabs(m->a * m->d - m->b * m->c)) / 2;
    add_stretches(sheet, path, m, count);
}

/* One object, or none; `above` is the matrix of the forms around it, NULL if there are none. */
static void add(Sheet *sheet, Handle object, const Matrix *above, int depth)
{
    if (!object)
        return;
    const Pdfium *pdfium = &sheet->pdfium;
    int kind = pdfium->type(object);
    int count = kind == FORM && depth < sheet->deepest_form ? pdfium->form_count(object) : 0;
    Matrix m = placed(pdfium, object, above);
    sheet->objects++;
    if (kind == PATH)
        add_path(sheet, object, &m, above != NULL);
    if (kind == IMAGE) { /* the unit square under its matrix */
        Point corners[] = {moved(&m, 0, 0), moved(&m, 1, 0), moved(&m, 0, 1), moved(&m, 1, 1)};
        put(sheet, edges(corners, 4), -1, PICTURE);
    }
    for (int number = 0; number < count && sheet->objects < sheet->most_objects; number++)
        add(sheet, pdfium->form_object(object, (unsigned long)number), &m, depth + 1);
}

/* drawn(functions, page, count, (most segments, most of one path, most objects, most drawings, deepest form, faint),
   (even, straight, smallest drawing)) -> a Drawn each. */
PyObject *drawn(PyObject *Py_UNUSED(module), PyObject *args)
{
    Sheet sheet = {.failed = 0};
    Py_ssize_t page, count;
    if (!PyArg_ParseTuple(args, "O&nn(iiiiii)(ddd)", pdfium_from, &sheet.pdfium, &page, &count, &sheet.most_segments,
                          &sheet.most_of_one, &sheet.most_objects, &sheet.most_drawings, &sheet.deepest_form,
                          &sheet.faint, &sheet.even, &sheet.straight, &sheet.smallest_drawing))
        return NULL;
    sheet.points = malloc(2 * (size_t)sheet.most_of_one * sizeof *sheet.points);
    if (!sheet.points)
        return PyErr_NoMemory();
    for (int number = 0; number < count && sheet.objects < sheet.most_objects; number++)
        add(&sheet, sheet.pdfium.object((Handle)page, number), NULL, 0);
    PyObject *made = sheet.failed ? NULL : ints_bytes(&sheet.rows);
    free(sheet.points);
    free(sheet.rows.at);
    return made;
}
