/* The columns of a page from the parser's own serialisation of its tree.

   That text is well formed: every element that is not void has its end tag, attributes are in double quotes, and five
   characters are escaped. So a scanner needs neither the rules of HTML nor the memory of the parser. Where the text can
   be read in two ways (`plaintext`, or elements inside SVG that are raw text or void outside it), it says so by None,
   and the tree itself is asked. Twin: `sightline.sources.html._parse`. */

#include "kernels.h"

enum { VOID = 1, RAW = 2, TEMPLATE = 4, FOREIGN = 8, PLAIN = 16, KNOWN = 128 };
enum { FAILED = -1, GONE_ON = 0, UNCLEAR = 1 };

typedef struct {
    const char *at, *end;
    int scripting;
    Numbering strings;
    unsigned char *marks; /* of each numbered string: what kind of element it names */
    int32_t marks_room;
    char *unescaped, *unescaped_end; /* of all strings with escapes: less than was escaped */
    Ints parent, ends, tag, text, attribute_start, attribute_name, attribute_value;
    Ints open, open_tag; /* the elements around the place that was reached; -1 for those in a template */
    int foreign;         /* how many of them are `svg` or `math` */
    Py_ssize_t deepest;
    int in_template;     /* how many of them are templates: what is inside is no part of the page */
    int32_t text_tag;
} Scan;

static int is_one_of(const Slice *name, const char *const *names)
{
    for (; *names; names++)
        if ((size_t)name->length == strlen(*names) && memcmp(name->at, *names, (size_t)name->length) == 0)
            return 1;
    return 0;
}

static unsigned char marks_of(const Scan *scan, const Slice *name)
{
    static const char *const voids[] = {"area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img",
                                        "input", "keygen", "link", "meta", "param", "source", "track", "wbr", NULL};
    static const char *const raws[] = {"script", "style", "iframe", "noembed", "noframes", "xmp", NULL};
    static const char *const roots[] = {"svg", "math", NULL};
    static const char *const templates[] = {"template", NULL}, *const plain[] = {"plaintext", NULL};
    static const char *const noscripts[] = {"noscript", NULL};
    if (is_one_of(name, voids))
        return KNOWN | VOID;
    if (is_one_of(name, raws) || (scan->scripting && is_one_of(name, noscripts)))
        return KNOWN | RAW;
    if (is_one_of(name, roots))
        return KNOWN | FOREIGN;
    if (is_one_of(name, templates))
        return KNOWN | TEMPLATE;
    return is_one_of(name, plain) ? KNOWN | PLAIN : KNOWN;
}

/* What kind of element a tag names; -1 where memory is out. */
static int marks(Scan *scan, int32_t tag)
{
    if (tag >= scan->marks_room) {
        int32_t room = scan->strings.room;
        unsigned char *larger = realloc(scan->marks, (size_t)room);
        if (!larger) {
            PyErr_NoMemory();
            return FAILED;
        }
        memset(larger + scan->marks_room, 0, (size_t)(room - scan->marks_room));
        scan->marks = larger;
        scan->marks_room = room;
    }
    if (!scan->marks[tag])
        scan->marks[tag] = marks_of(scan, &scan->strings.strings[tag]);
    return scan->marks[tag];
}

/* The number of a string that may have escapes in it. */
static int32_t number_escaped(Scan *scan, const char *at, Py_ssize_t length)
{
    static const struct { const char *escape; size_t length; const char *meant; } escapes[] = {
        {"&amp;", 5, "&"}, {"&lt;", 4, "<"}, {"&gt;", 4, ">"}, {"&quot;", 6, "\""}, {"&nbsp;", 6, "\xC2\xA0"}};
    const char *next = memchr(at, '&', (size_t)length), *end = at + length;
    if (!next)
        return numbering_number(&scan->strings, at, length);
    if (!scan->unescaped)
        scan->unescaped_end = scan->unescaped = malloc((size_t)(scan->end - at));
    char *plain = scan->unescaped_end, *to = plain;
    if (!plain) {
        PyErr_NoMemory();
        return FAILED;
    }
    for (; next; next = memchr(at, '&', (size_t)(end - at))) {
        memcpy(to, at, (size_t)(next - at));
        to += next - at;
        at = next + 1;
        size_t which = 0;
        for (; which < 5; which++)
            if ((size_t)(end - next) >= escapes[which].length
                && memcmp(next, escapes[which].escape, escapes[which].length) == 0)
                break;
        if (which == 5) {
            *to++ = '&';
            continue;
        }
        for (const char *meant = escapes[which].meant; *meant; meant++)
            *to++ = *meant;
        at = next + escapes[which].length;
    }
    memcpy(to, at, (size_t)(end - at));
    to += end - at;
    scan->unescaped_end = to;
    return numbering_number(&scan->strings, plain, to - plain);
}

static int add_node(Scan *scan, int32_t tag, int32_t text)
{
    int32_t above = scan->open.count ? scan->open.at[scan->open.count - 1] : -1;
    Py_ssize_t place = scan->parent.count;
    if (place >= INT32_MAX - 1)
        return UNCLEAR;
    return ints_push(&scan->parent, above) < 0 || ints_push(&scan->ends, (int32_t)place + 1) < 0
            || ints_push(&scan->tag, tag) < 0 || ints_push(&scan->text, text) < 0
            || ints_push(&scan->attribute_start, (int32_t)scan->attribute_name.count) < 0
        ? FAILED
        : GONE_ON;
}

static int add_text(Scan *scan, const char *at, Py_ssize_t length, int escaped)
{
    if (!length || scan->in_template)
        return GONE_ON;
    int32_t number = escaped ? number_escaped(scan, at, length) : numbering_number(&scan->strings, at, length);
    return number < 0 ? FAILED : add_node(scan, scan->text_tag, number);
}

/* One attribute: ` name="value"`. A name may begin with `=` and hold quotes, but no blank. */
static int read_attribute(Scan *scan)
{
    const char *name = ++scan->at, *at = name;
    if (at < scan->end && *at == '=')
        at++;
    while (at < scan->end && *at != '=' && *at != ' ' && *at != '>')
        at++;
    const char *name_end = at, *value = at, *value_end = at;
    if (at + 1 < scan->end && at[0] == '=' && at[1] == '"') {
        value = at + 2;
        value_end = memchr(value, '"', (size_t)(scan->end - value));
        if (!value_end)
            return UNCLEAR;
        at = value_end + 1;
    }
    if (at >= scan->end || (*at != ' ' && *at != '>'))
        return UNCLEAR;
    scan->at = at;
    if (scan->in_template)
        return GONE_ON;
    int32_t name_number = numbering_number(&scan->strings, name, name_end - name);
    int32_t value_number = name_number < 0 ? -1 : number_escaped(scan, value, value_end - value);
    if (value_number < 0 || ints_push(&scan->attribute_name, name_number) < 0)
        return FAILED;
    return ints_push(&scan->attribute_value, value_number) < 0 ? FAILED : GONE_ON;
}

static int begins(const char *at, const char *end, const char *with, size_t length)
{
    if ((size_t)(end - at) < length)
        return 0;
    for (size_t place = 0; place < length; place++)
        if ((at[place] | ((at[place] >= 'A' && at[place] <= 'Z') ? 32 : 0)) != with[place])
            return 0;
    return 1;
}

/* The end of raw text: its end tag, which the text itself cannot hold. The text of a script can, after `<!--` and
   `<script`; and in SVG the text is not raw for the parser, so a `<` in it may be an element. */
static int raw_text(Scan *scan, const Slice *name)
{
    int commented = 0, script = name->length == 6 && memcmp(name->at, "script", 6) == 0;
    const char *start = scan->at, *at = start;
    while ((at = memchr(at, '<', (size_t)(scan->end - at)))) {
        if (scan->end - at > name->length + 2 && at[1] == '/' && at[name->length + 2] == '>'
            && memcmp(at + 2, name->at, (size_t)name->length) == 0)
            break;
        if (scan->foreign)
            return UNCLEAR;
        if (script && begins(at, scan->end, "<!--", 4))
            commented = 1;
        else if (commented && begins(at, scan->end, "<script", 7))
            return UNCLEAR;
        at++;
    }
    if (!at)
        return UNCLEAR;
    scan->at = at;
    return add_text(scan, start, at - start, 0);
}

static int read_start(Scan *scan)
{
    const char *name = scan->at + 1, *at = name;
    while (at < scan->end && *at != ' ' && *at != '>')
        at++;
    if (at == scan->end || at == name)
        return UNCLEAR;
    int32_t tag = numbering_number(&scan->strings, name, at - name);
    int kind = tag < 0 ? FAILED : marks(scan, tag);
    if (kind < 0)
        return FAILED;
    if (kind & PLAIN || (scan->foreign && kind & (VOID | TEMPLATE)))
        return UNCLEAR;
    int32_t node = scan->in_template ? -1 : (int32_t)scan->parent.count;
    int went = scan->in_template ? GONE_ON : add_node(scan, tag, -1);
    scan->at = at;
    while (went == GONE_ON && scan->at < scan->end && *scan->at == ' ')
        went = read_attribute(scan);
    if (went != GONE_ON)
        return went;
    if (scan->at == scan->end || *scan->at != '>')
        return UNCLEAR;
    scan->at++;
    if (kind & VOID)
        return GONE_ON;
    if (ints_push(&scan->open, node) < 0 || ints_push(&scan->open_tag, tag) < 0)
        return FAILED;
    if (scan->open.count > scan->deepest && !scan->in_template)
        scan->deepest = scan->open.count; /* of what may stand in it; an empty element counts, which does no harm */
    scan->foreign += (kind & FOREIGN) != 0;
    scan->in_template += (kind & TEMPLATE) != 0;
    if (kind & RAW) {
        Slice raw = scan->strings.strings[tag];
        return raw_text(scan, &raw);
    }
    return GONE_ON;
}

static int read_end(Scan *scan)
{
    if (!scan->open.count)
        return UNCLEAR;
    int32_t node = scan->open.at[--scan->open.count], tag = scan->open_tag.at[--scan->open_tag.count];
    const Slice *name = &scan->strings.strings[tag];
    if (scan->end - scan->at < name->length + 3 || scan->at[name->length + 2] != '>'
        || memcmp(scan->at + 2, name->at, (size_t)name->length) != 0)
        return UNCLEAR;
    scan->at += name->length + 3;
    if (node >= 0)
        scan->ends.at[node] = (int32_t)scan->parent.count;
    scan->foreign -= (scan->marks[tag] & FOREIGN) != 0;
    scan->in_template -= (scan->marks[tag] & TEMPLATE) != 0;
    return GONE_ON;
}

static int read_comment(Scan *scan)
{
    const char *at = scan->at + 4;
    if (!begins(scan->at, scan->end, "<!--", 4))
        return UNCLEAR;
    while ((at = memchr(at, '-', (size_t)(scan->end - at)))) {
        if (scan->end - at >= 3 && at[1] == '-' && at[2] == '>') {
            scan->at = at + 3;
            return GONE_ON;
        }
        at++;
    }
    return UNCLEAR;
}

static int read_all(Scan *scan)
{
    int went = GONE_ON;
    while (went == GONE_ON && scan->at < scan->end) {
        if (*scan->at != '<') {
            const char *next = memchr(scan->at, '<', (size_t)(scan->end - scan->at)), *start = scan->at;
            if (!next || !scan->open.count)
                return UNCLEAR;
            scan->at = next;
            went = add_text(scan, start, next - start, 1);
        } else if (scan->end - scan->at < 2)
            return UNCLEAR;
        else if (scan->at[1] == '/')
            went = read_end(scan);
        else if (scan->at[1] == '!')
            went = read_comment(scan);
        else
            went = scan->parent.count && !scan->open.count ? UNCLEAR : read_start(scan);
    }
    if (went == GONE_ON && scan->open.count)
        return UNCLEAR;
    return went == GONE_ON && ints_push(&scan->attribute_start, (int32_t)scan->attribute_name.count) < 0 ? FAILED : went;
}

/* Number the strings in the order in which a page in canonical form does, and leave unused ones out. */
static void renumber(Ints *column, int32_t *number, int32_t *old, int32_t *count)
{
    for (Py_ssize_t place = 0; place < column->count; place++) {
        int32_t was = column->at[place];
        if (was < 0)
            continue;
        if (number[was] < 0) {
            old[*count] = was;
            number[was] = (*count)++;
        }
        column->at[place] = number[was];
    }
}

/* The strings, and what the id of a page is made of: how long each is, and all of them in one piece. */
static PyObject *made_strings(Scan *scan, const int32_t *old, int32_t count)
{
    Ints lengths = {0};
    Py_ssize_t size = 0;
    for (int32_t place = 0; place < count; place++)
        size += scan->strings.strings[old[place]].length;
    PyObject *made = PyTuple_New(count), *letters = PyBytes_FromStringAndSize(NULL, size), *result = NULL;
    char *to = letters ? PyBytes_AsString(letters) : NULL;
    int failed = !made || !letters;
    for (int32_t place = 0; !failed && place < count; place++) {
        const Slice *from = &scan->strings.strings[old[place]];
        PyObject *string = PyUnicode_DecodeUTF8(from->at, from->length, "strict");
        failed = !string || ints_push(&lengths, (int32_t)PyUnicode_GetLength(string)) < 0;
        if (string && PyTuple_SetItem(made, place, string) < 0)
            failed = 1;
        memcpy(to, from->at, (size_t)from->length);
        to += from->length;
    }
    if (!failed)
        result = Py_BuildValue("(ONO)", made, ints_bytes(&lengths), letters);
    Py_XDECREF(made);
    Py_XDECREF(letters);
    free(lengths.at);
    return result;
}

static PyObject *numbered_strings(Scan *scan)
{
    int32_t count = 0, all = scan->strings.count;
    int32_t *number = malloc((size_t)all * 2 * sizeof *number), *old = number ? number + all : NULL;
    if (!number)
        return PyErr_NoMemory();
    memset(number, 0xFF, (size_t)all * sizeof *number);
    renumber(&scan->text, number, old, &count);
    renumber(&scan->attribute_value, number, old, &count);
    renumber(&scan->tag, number, old, &count);
    renumber(&scan->attribute_name, number, old, &count);
    PyObject *made = made_strings(scan, old, count);
    free(number);
    return made;
}

static PyObject *columns(Scan *scan)
{
    PyObject *strings = numbered_strings(scan);
    if (!strings)
        return NULL;
    return Py_BuildValue("(NnNNNNNNN)", strings, scan->deepest, ints_bytes(&scan->parent), ints_bytes(&scan->ends), ints_bytes(&scan->tag),
                         ints_bytes(&scan->text), ints_bytes(&scan->attribute_start), ints_bytes(&scan->attribute_name),
                         ints_bytes(&scan->attribute_value));
}

static void scan_free(Scan *scan)
{
    Ints *all[] = {&scan->parent, &scan->ends, &scan->tag, &scan->text, &scan->attribute_start, &scan->attribute_name,
                   &scan->attribute_value, &scan->open, &scan->open_tag};
    for (size_t which = 0; which < sizeof all / sizeof *all; which++)
        free(all[which]->at);
    numbering_free(&scan->strings);
    free(scan->unescaped);
    free(scan->marks);
}

/* scan(html, scripting) -> ((strings, their lengths, their letters), deepest, parent, end, tag, text, attribute start,
   name, value), or None where unclear. */
PyObject *scan(PyObject *Py_UNUSED(module), PyObject *args)
{
    Scan scan = {0};
    PyObject *html, *made = NULL;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "Up", &html, &scan.scripting))
        return NULL;
    scan.at = PyUnicode_AsUTF8AndSize(html, &length);
    if (!scan.at) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
            return NULL;
        PyErr_Clear(); /* half of a surrogate pair, which only the tree itself can hold */
        return Py_NewRef(Py_None);
    }
    scan.end = scan.at + length;
    int32_t guess = length / 64 > (1 << 24) ? 1 << 24 : (int32_t)(length / 64);
    int went = numbering_begin(&scan.strings, guess) < 0 ? FAILED : GONE_ON;
    if (went == GONE_ON) {
        scan.text_tag = numbering_number(&scan.strings, "#text", 5);
        went = scan.text_tag < 0 ? FAILED : read_all(&scan);
    }
    if (went == GONE_ON)
        made = columns(&scan);
    scan_free(&scan);
    return went == UNCLEAR ? Py_NewRef(Py_None) : made;
}
