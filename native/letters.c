/* What texts are made of: blanks, and whether they say anything. Letters are asked for one by one, since nearly always
   the first decides; and no other form of a string has to be made, or kept. */

#include "kernels.h"

/* As `str.isspace` of Python. */
int is_space(Py_UCS4 letter)
{
    if (letter < 0x80)
        return letter == 0x20 || (letter >= 0x09 && letter <= 0x0D) || (letter >= 0x1C && letter <= 0x1F);
    return letter == 0x85 || letter == 0xA0 || letter == 0x1680 || (letter >= 0x2000 && letter <= 0x200A)
        || letter == 0x2028 || letter == 0x2029 || letter == 0x202F || letter == 0x205F || letter == 0x3000;
}

int is_blank(PyObject *string)
{
    Py_ssize_t length = PyUnicode_GetLength(string);
    for (Py_ssize_t place = 0; place < length; place++)
        if (!is_space(PyUnicode_ReadChar(string, place)))
            return 0;
    return 1;
}

enum { SHORT = 64 }; /* letters of a text that are looked at one by one; in longer ones each blank is searched for */

/* The same as below for a long text. */
static int is_long_even(PyObject *string, Py_ssize_t start, Py_ssize_t stop)
{
    static const Py_UCS4 other[] = {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0xA0, 0x1680, 0x2000,
                                    0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                    0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
    for (size_t which = 0; which < sizeof other / sizeof *other; which++)
        if (PyUnicode_FindChar(string, other[which], start, stop, 1) >= 0)
            return 0;
    for (Py_ssize_t place = start; (place = PyUnicode_FindChar(string, ' ', place, stop, 1)) >= 0; place += 2)
        if (PyUnicode_ReadChar(string, place + 1) == ' ')
            return 0;
    return 1;
}

/* Whether all white space between two letters is single spaces. */
static int is_even(PyObject *string, Py_ssize_t start, Py_ssize_t stop)
{
    if (stop - start > SHORT)
        return is_long_even(string, start, stop);
    int after_space = 0;
    for (Py_ssize_t place = start; place < stop; place++) {
        Py_UCS4 letter = PyUnicode_ReadChar(string, place);
        int space = is_space(letter);
        if (space && (after_space || letter != ' '))
            return 0;
        after_space = space;
    }
    return 1;
}

/* A text with its white space collapsed, as by splitting and joining it; most have some around them and none else. */
PyObject *collapsed(PyObject *string)
{
    Py_ssize_t start = 0, stop = PyUnicode_GetLength(string);
    while (start < stop && is_space(PyUnicode_ReadChar(string, start)))
        start++;
    while (start < stop && is_space(PyUnicode_ReadChar(string, stop - 1)))
        stop--;
    if (is_even(string, start, stop))
        return PyUnicode_Substring(string, start, stop);
    PyObject *words = PyUnicode_Split(string, NULL, -1), *space = PyUnicode_FromString(" ");
    PyObject *made = words && space ? PyUnicode_Join(space, words) : NULL;
    Py_XDECREF(words);
    Py_XDECREF(space);
    return made;
}

/* The next kernel's answers: a text is mute, says something, or only the pattern itself can tell. */
enum { MUTE = 0, SAYS = 1, UNSURE = 2 };

/* Whether a text holds anything but punctuation and words that join. A figure, a capital or `$` decides; so does a word
   in small letters that joins nothing. All else is left to the pattern. */
static int says(PyObject *string)
{
    static const char *const joining[] = {"and", "or", "und", "oder", "et", "ou", "y", "e", "en", "og", "och", NULL};
    char word[8];
    Py_ssize_t length = PyUnicode_GetLength(string), place = 0;
    while (place < length) {
        Py_UCS4 letter = PyUnicode_ReadChar(string, place++);
        if ((letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || letter == '$')
            return SAYS;
        if (letter >= 0x80)
            return UNSURE;
        if (letter < 'a' || letter > 'z') {
            if (letter < 0x20 && !is_space(letter))
                return SAYS;
            continue;
        }
        size_t letters = 0;
        for (;;) {
            if (letters == sizeof word - 1)
                return SAYS;
            word[letters++] = (char)letter;
            letter = place < length ? PyUnicode_ReadChar(string, place) : 0;
            if (letter < 'a' || letter > 'z')
                break;
            place++;
        }
        word[letters] = 0;
        int joins = 0;
        for (const char *const *known = joining; *known && !joins; known++)
            joins = strcmp(word, *known) == 0;
        if (!joins && letter < 0x80)
            return SAYS;
        return UNSURE;
    }
    return UNSURE;
}

/* 1 where a text says something, 0 where it is mute, -1 with an exception; `mute` matches what is mute. */
int says_something(PyObject *string, PyObject *mute)
{
    int known = says(string);
    if (known != UNSURE)
        return known;
    PyObject *match = PyObject_CallFunctionObjArgs(mute, string, NULL);
    if (!match)
        return -1;
    known = match == Py_None ? SAYS : MUTE;
    Py_DECREF(match);
    return known;
}

/* blank(strings, (text,)) -> a byte a node: whether it is a text of nothing but blanks. */
PyObject *blank(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *strings;
    Columns columns = {.kinds = "n"};
    if (!PyArg_ParseTuple(args, "O!O&", &PyTuple_Type, &strings, columns_from, &columns))
        return NULL;
    const int32_t *number = columns.at[0];
    Py_ssize_t count = columns.rows[NODES];
    PyObject *made = PyBytes_FromStringAndSize(NULL, count);
    char *is = made ? PyBytes_AsString(made) : NULL;
    for (Py_ssize_t node = 0; made && node < count; node++) {
        PyObject *string = number[node] >= 0 ? PyTuple_GetItem(strings, number[node]) : NULL;
        if (number[node] >= 0 && !string)
            Py_CLEAR(made);
        else
            is[node] = (char)(string && is_blank(string));
    }
    columns_end(&columns);
    return made;
}
