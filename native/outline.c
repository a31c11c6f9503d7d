/* The outline of a page: its readable texts and the elements around them, in the symbols of an alphabet.
   Twin: `sightline.extract.schemas._outline`. */

#include "kernels.h"

static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t BASE = UINT64_C(0xD1342543DE82EF95), BASE_INVERSE = UINT64_C(0x572B5EE77A54E3BD);
enum { WORDS = 3, HEAD = -1 };

typedef struct {
    PyObject *strings, *mute, *symbol_of, *symbols, *texts;
    Columns columns;
    Py_ssize_t nodes;
    const int32_t *parent, *end, *tag, *text, *attribute_start, *attribute_name, *attribute_value;
    const unsigned char *visible;
    int32_t words[WORDS], td, th; /* the names of the attributes that tell elements apart, and the tags of cells */
    int32_t *memory, *leaf_before, *before, *place, *cells;
    int32_t *kept, *leaves; /* nodes of the page */
    Py_ssize_t kept_count, leaf_count;
} OutlinedPage;

/* -- which nodes ------------------------------------------------------------------------------------------------ */

/* How many texts that can be read stand before each node; then how many of them say something or stand alone. */
static int find_readable(OutlinedPage *page)
{
    int32_t count = 0;
    for (Py_ssize_t node = 0; node < page->nodes; node++) {
        page->before[node] = count;
        if (page->parent[node] >= node || page->end[node] <= node || page->end[node] > page->nodes) {
            PyErr_SetString(PyExc_IndexError, "a node has a parent or an end that is none");
            return -1;
        }
        if (page->text[node] < 0 || !page->visible[node])
            continue;
        PyObject *string = PyTuple_GetItem(page->strings, page->text[node]);
        if (!string)
            return -1;
        count += !is_blank(string);
    }
    page->before[page->nodes] = count;
    for (Py_ssize_t node = 0; node < page->nodes; node++) {
        page->leaf_before[node] = (int32_t)page->leaf_count;
        if (page->before[node + 1] == page->before[node])
            continue;
        int32_t above = page->parent[node];
        int32_t from = above < 0 ? page->before[page->nodes] : page->before[above];
        int32_t to = above < 0 ? page->before[page->nodes] : page->before[page->end[above]];
        int said = to - from == 1 ? 1 : says_something(PyTuple_GetItem(page->strings, page->text[node]), page->mute);
        if (said < 0)
            return -1;
        if (said)
            page->leaves[page->leaf_count++] = (int32_t)node;
    }
    page->leaf_before[page->nodes] = (int32_t)page->leaf_count;
    return 0;
}

/* The nodes that are or contain a readable text; from now on `before` counts them. */
static void find_kept(OutlinedPage *page)
{
    for (Py_ssize_t node = 0; node < page->nodes; node++) {
        page->before[node] = (int32_t)page->kept_count;
        if (page->leaf_before[page->end[node]] > page->leaf_before[node])
            page->kept[page->kept_count++] = (int32_t)node;
    }
    page->before[page->nodes] = (int32_t)page->kept_count;
}

/* The place of each cell in its row, and HEAD for a row of nothing but heading cells; a root has no row. */
static void find_places(OutlinedPage *page)
{
    if (page->td < 0 && page->th < 0)
        return;
    for (Py_ssize_t node = 0; node < page->nodes; node++)
        if (page->parent[node] >= 0 && (page->tag[node] == page->td || page->tag[node] == page->th))
            page->place[node] = ++page->cells[page->parent[node]];
    for (Py_ssize_t node = 0; node < page->nodes; node++)
        if (page->parent[node] >= 0 && page->tag[node] == page->td)
            page->cells[page->parent[node]] = 0;
    for (Py_ssize_t node = 0; node < page->nodes; node++)
        if (page->cells[node])
            page->place[node] = HEAD;
}

/* -- symbols ---------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t key;
    int32_t values[WORDS + 2]; /* tag, attributes, place */
    int64_t symbol;
} Raw;

static int by_key(const void *one, const void *other)
{
    uint64_t a = (*(const Raw *const *)one)->key, b = (*(const Raw *const *)other)->key;
    return a < b ? -1 : a > b;
}

static void raw_of(const OutlinedPage *page, int32_t node, Raw *raw)
{
    raw->values[0] = page->tag[node];
    for (int word = 0; word < WORDS; word++)
        raw->values[word + 1] = -1;
    Py_ssize_t row = page->attribute_start[node], stop = page->attribute_start[node + 1];
    for (; row >= 0 && row < stop && row < page->columns.rows[ATTRIBUTES]; row++)
        for (int word = 0; word < WORDS; word++)
            if (page->attribute_name[row] == page->words[word])
                raw->values[word + 1] = page->attribute_value[row];
    raw->values[WORDS + 1] = page->place[node];
    raw->key = (uint64_t)(int64_t)raw->values[0];
    for (int value = 1; value < WORDS + 2; value++)
        raw->key = raw->key * SPREAD + (uint64_t)((int64_t)raw->values[value] + 1);
}

/* Fill `which` with the number of what is written at each kept element, and `raws` with what that is. */
static int number_raws(const OutlinedPage *page, Numbering *numbering, Raw *raws, int32_t *which)
{
    for (Py_ssize_t place = 0; place < page->kept_count; place++) {
        if (page->text[page->kept[place]] >= 0)
            continue;
        Raw *raw = &raws[numbering->count]; /* is kept if it is new */
        raw_of(page, page->kept[place], raw);
        which[place] = numbering_number(numbering, (const char *)raw->values, sizeof raw->values);
        if (which[place] < 0)
            return -1;
    }
    return 0;
}

static PyObject *raw_word(const OutlinedPage *page, const Raw *raw, int value)
{
    int32_t number = raw->values[value];
    if (value == WORDS + 1 && number)
        return number == HEAD ? PyUnicode_FromString("head") : PyUnicode_FromFormat("%d", (int)number);
    if (value == WORDS + 1 || number < 0)
        return PyUnicode_FromString("");
    PyObject *string = PyTuple_GetItem(page->strings, number);
    return string ? Py_NewRef(string) : NULL;
}

/* The symbol that the alphabet has, or gives, to an element as the page writes it. */
static int find_symbol(const OutlinedPage *page, Raw *raw)
{
    PyObject *words = PyTuple_New(WORDS + 2);
    for (int value = 0; words && value < WORDS + 2; value++) {
        PyObject *word = raw_word(page, raw, value);
        if (!word || PyTuple_SetItem(words, value, word) < 0)
            Py_CLEAR(words);
    }
    if (!words)
        return -1;
    PyObject *symbol = PyDict_GetItemWithError(page->symbols, words);
    if (symbol)
        Py_INCREF(symbol);
    else if (!PyErr_Occurred())
        symbol = PyObject_CallFunctionObjArgs(page->symbol_of, words, NULL);
    Py_DECREF(words);
    if (!symbol)
        return -1;
    raw->symbol = PyLong_AsLongLong(symbol);
    Py_DECREF(symbol);
    return raw->symbol == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Fill `symbol` of every kept node; new ones are given in the order of the keys, as the twin does. */
static int find_symbols(const OutlinedPage *page, int64_t *symbol)
{
    size_t room = (size_t)page->kept_count + 1;
    Raw *raws = malloc(room * sizeof *raws), **order = malloc(room * sizeof *order);
    int32_t *which = malloc(room * sizeof *which);
    Numbering numbering = {0};
    int went = numbering_begin(&numbering, 0);
    if (!raws || !order || !which) {
        PyErr_NoMemory();
        went = -1;
    }
    if (went == 0)
        went = number_raws(page, &numbering, raws, which);
    for (int32_t number = 0; went == 0 && number < numbering.count; number++)
        order[number] = &raws[number];
    if (went == 0)
        qsort(order, (size_t)numbering.count, sizeof *order, by_key);
    for (int32_t number = 0; went == 0 && number < numbering.count; number++)
        went = find_symbol(page, order[number]);
    for (Py_ssize_t place = 0; went == 0 && place < page->kept_count; place++)
        symbol[place] = page->text[page->kept[place]] >= 0 ? 0 : raws[which[place]].symbol;
    numbering_free(&numbering);
    free(raws);
    free(order);
    free(which);
    return went;
}

/* -- texts ------------------------------------------------------------------------------------------------------ */

/* The readable texts with their white space collapsed, and the number of each that several pages share, else 0. */
static PyObject *find_texts(const OutlinedPage *page, int64_t *shared)
{
    PyObject *texts = PyList_New(page->leaf_count);
    for (Py_ssize_t leaf = 0; texts && leaf < page->leaf_count; leaf++) {
        PyObject *string = PyTuple_GetItem(page->strings, page->text[page->leaves[leaf]]), *text = NULL, *number;
        if (string)
            text = collapsed(string);
        number = text ? PyDict_GetItemWithError(page->texts, text) : NULL;
        shared[leaf] = number ? PyLong_AsLongLong(number) : 0;
        if (!text || PyErr_Occurred()) {
            Py_XDECREF(text);
            Py_CLEAR(texts);
        } else
            PyList_SetItem(texts, leaf, text);
    }
    return texts;
}

/* -- lists ------------------------------------------------------------------------------------------------------ */

static PyObject *list_of(const int64_t *numbers, Py_ssize_t count)
{
    PyObject *made = PyList_New(count);
    for (Py_ssize_t place = 0; made && place < count; place++) {
        PyObject *number = PyLong_FromLongLong(numbers[place]);
        if (!number || PyList_SetItem(made, place, number) < 0)
            Py_CLEAR(made);
    }
    return made;
}

/* A hash of each node's structure: of its range of letters, which are symbols, shared texts and depths. */
static PyObject *shapes(const int64_t *token, const int64_t *end, int64_t *closed, Py_ssize_t count)
{
    uint64_t *sums = malloc(((size_t)count + 1) * sizeof *sums), power = 1, back = 1, letter;
    PyObject *made = sums ? PyList_New(count) : PyErr_NoMemory();
    int64_t ended = 0;
    if (made) {
        sums[0] = 0;
        memset(closed, 0, ((size_t)count + 1) * sizeof *closed);
        for (Py_ssize_t node = 0; node < count; node++)
            closed[end[node]]++;
    }
    for (Py_ssize_t node = 0; made && node < count; node++) {
        ended += closed[node];
        power *= BASE;
        letter = (uint64_t)token[node] * SPREAD + (uint64_t)(node + 1 - ended) + 1;
        letter = (letter ^ (letter >> 29)) * SPREAD;
        sums[node + 1] = sums[node] + letter * power;
    }
    for (Py_ssize_t node = 0; made && node < count; node++) {
        back *= BASE_INVERSE;
        PyObject *shape = PyLong_FromUnsignedLongLong((sums[end[node]] - sums[node]) * back);
        if (!shape || PyList_SetItem(made, node, shape) < 0)
            Py_CLEAR(made);
    }
    free(sums);
    return made;
}

static int32_t kept_above(const OutlinedPage *page, Py_ssize_t place)
{
    int32_t above = page->parent[page->kept[place]];
    return above < 0 ? 0 : page->before[above];
}

/* The children of all kept nodes, one after another, and where those of each begin. */
static void find_kids(const OutlinedPage *page, int64_t *start, int64_t *kid)
{
    Py_ssize_t count = page->kept_count;
    memset(start, 0, ((size_t)count + 2) * sizeof *start);
    for (Py_ssize_t place = 1; place < count; place++)
        start[kept_above(page, place) + 2]++;
    for (Py_ssize_t place = 2; place <= count + 1; place++)
        start[place] += start[place - 1];
    for (Py_ssize_t place = 1; place < count; place++)
        kid[start[kept_above(page, place) + 1]++] = place;
}

enum { SYMBOL, END, FIRST, LAST, KID_START, KID, LEAF, SHARED, CONTENT, TOKEN, CLOSED, LISTS };

static PyObject *outline_lists(const OutlinedPage *page)
{
    Py_ssize_t count = page->kept_count, room = count + 2, leaf_places = 0;
    int64_t *memory = malloc((size_t)(LISTS * room) * sizeof *memory), *lists[LISTS];
    if (!memory)
        return PyErr_NoMemory();
    for (int list = 0; list < LISTS; list++)
        lists[list] = memory + list * room;
    PyObject *texts = NULL, *made = NULL;
    if (find_symbols(page, lists[SYMBOL]) == 0)
        texts = find_texts(page, lists[SHARED]);
    if (texts) {
        int64_t step = (int64_t)PyDict_Size(page->texts) + 1;
        for (Py_ssize_t place = 0; place < count; place++) {
            int32_t node = page->kept[place];
            lists[END][place] = page->before[page->end[node]];
            lists[FIRST][place] = page->leaf_before[node];
            lists[LAST][place] = page->leaf_before[page->end[node]];
            lists[CONTENT][place] = lists[SHARED][lists[FIRST][place]];
            lists[TOKEN][place] = lists[SYMBOL][place] * step + lists[CONTENT][place];
            if (page->text[node] >= 0)
                lists[LEAF][leaf_places++] = place;
        }
        find_kids(page, lists[KID_START], lists[KID]);
        made = Py_BuildValue("(y#NNNNNNNNNNNN)", page->kept, count * 4, list_of(lists[SYMBOL], count),
                             list_of(lists[END], count), list_of(lists[FIRST], count), list_of(lists[LAST], count),
                             list_of(lists[KID_START], count + 1), list_of(lists[KID], count ? count - 1 : 0),
                             list_of(lists[LEAF], leaf_places), list_of(lists[SHARED], page->leaf_count),
                             list_of(lists[CONTENT], count), list_of(lists[TOKEN], count),
                             shapes(lists[TOKEN], lists[END], lists[CLOSED], count), texts);
    }
    free(memory);
    return made;
}

/* -- the kernel ------------------------------------------------------------------------------------------------- */

/* outline(strings, columns, words, mute, symbol of, symbols, texts) -> node, symbol, end, first, last, kid start, kid, leaf,
   shared, content, token, shape, texts. `columns` are parent, end, tag, text, the three of attributes,
   and which nodes are visible; `words` the numbers of `class`, `id`, `itemprop`, `td` and `th`. */
PyObject *outline(PyObject *Py_UNUSED(module), PyObject *args)
{
    OutlinedPage page = {.columns.kinds = "nnnnmaav"};
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "O!O&(iiiii)OOO!O!", &PyTuple_Type, &page.strings, columns_from, &page.columns,
                          &page.words[0], &page.words[1], &page.words[2], &page.td, &page.th, &page.mute,
                          &page.symbol_of, &PyDict_Type, &page.symbols, &PyDict_Type, &page.texts))
        return NULL;
    const void *const *at = page.columns.at;
    page.parent = at[0], page.end = at[1], page.tag = at[2], page.text = at[3];
    page.attribute_start = at[4], page.attribute_name = at[5], page.attribute_value = at[6], page.visible = at[7];
    page.nodes = page.columns.rows[NODES];
    page.memory = calloc(6 * ((size_t)page.nodes + 1), sizeof *page.memory);
    int32_t **rows[] = {&page.leaf_before, &page.before, &page.place, &page.cells, &page.kept, &page.leaves};
    for (Py_ssize_t row = 0; page.memory && row < 6; row++)
        *rows[row] = page.memory + row * (page.nodes + 1);
    if (!page.memory)
        PyErr_NoMemory();
    else if (find_readable(&page) == 0) {
        find_kept(&page);
        find_places(&page);
        made = outline_lists(&page);
    }
    columns_end(&page.columns);
    free(page.memory);
    return made;
}
