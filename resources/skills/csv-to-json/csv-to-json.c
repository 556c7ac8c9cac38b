// csv-to-json: converts CSV (RFC 4180) to a JSON array of objects, one row per line.
//
// The first row contains the member names, and every value is a string. Nothing is written before the whole input
// has been parsed, so that a program downstream never sees partial output.
// Exit codes: 0 success, 1 reading, writing or allocating failed, 2 the input is not valid CSV.

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

typedef struct {
  char *data;
  size_t length;
  size_t capacity;
} Text;

typedef struct {
  const unsigned char *at;
  const unsigned char *end;
  size_t line;
} Reader;

typedef enum { AFTER_COMMA, AFTER_ROW, AFTER_ALL } Stop;

static void write_all(int file, const char *data, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, data, length);
    if (written <= 0) _exit(EXIT_FAILED);
    data += written;
    length -= (size_t)written;
  }
}

static void print_error(const char *text) { write_all(STDERR_FILENO, text, strlen(text)); }

static void print_error_number(size_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do digits[--first] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  write_all(STDERR_FILENO, digits + first, sizeof digits - first);
}

_Noreturn static void fail(const char *reason) {
  print_error("csv-to-json: ");
  print_error(reason);
  print_error("\n");
  _exit(EXIT_FAILED);
}

_Noreturn static void refuse(size_t line, const char *reason) {
  print_error("csv-to-json: line ");
  print_error_number(line);
  print_error(": ");
  print_error(reason);
  print_error("\n");
  _exit(EXIT_BAD_INPUT);
}

static void reserve(Text *text, size_t more) {
  if (text->capacity - text->length >= more) return;
  size_t capacity = text->capacity < 4096 ? 4096 : text->capacity;
  while (capacity - text->length < more) {
    if (capacity > ((size_t)-1) / 2) fail("out of memory");
    capacity *= 2;
  }
  char *data = realloc(text->data, capacity);
  if (data == NULL) fail("out of memory");
  text->data = data;
  text->capacity = capacity;
}

static void append(Text *text, const char *data, size_t length) {
  reserve(text, length);
  memcpy(text->data + text->length, data, length);
  text->length += length;
}

static void append_string(Text *text, const char *string) { append(text, string, strlen(string)); }

static void append_json_byte(Text *text, unsigned char byte) {
  static const char HEX[] = "0123456789abcdef";
  if (byte == '"' || byte == '\\') append(text, (const char[]){'\\', (char)byte}, 2);
  else if (byte == '\n') append_string(text, "\\n");
  else if (byte == '\r') append_string(text, "\\r");
  else if (byte == '\t') append_string(text, "\\t");
  else if (byte < 0x20) append(text, (const char[]){'\\', 'u', '0', '0', HEX[byte >> 4], HEX[byte & 15]}, 6);
  else append(text, (const char *)&byte, 1);
}

static Text read_everything(void) {
  Text input = {0};
  for (;;) {
    reserve(&input, 65536);
    ssize_t got = read(STDIN_FILENO, input.data + input.length, input.capacity - input.length);
    if (got < 0) fail("could not read standard input");
    if (got == 0) return input;
    input.length += (size_t)got;
  }
}

// The length in bytes of the UTF-8 character at `at`, or 0 if it is invalid (JSON must be UTF-8).
static size_t utf8_length(const unsigned char *at, const unsigned char *end) {
  if (at[0] < 0x80) return 1;
  size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
  if (at[0] < 0xc2 || at[0] > 0xf4 || (size_t)(end - at) < length) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0;
  }
  if (at[0] == 0xe0 && at[1] < 0xa0) return 0;  // overlong
  if (at[0] == 0xed && at[1] > 0x9f) return 0;  // a surrogate
  if (at[0] == 0xf0 && at[1] < 0x90) return 0;  // overlong
  if (at[0] == 0xf4 && at[1] > 0x8f) return 0;  // above U+10FFFF
  return length;
}

static void check_utf8(Reader reader) {
  while (reader.at < reader.end) {
    size_t length = utf8_length(reader.at, reader.end);
    if (length == 0) refuse(reader.line, "the input is not UTF-8");
    if (*reader.at == '\n') reader.line++;
    reader.at += length;
  }
}

// Consumes a line break (LF or CR LF), if there is one.
static bool take_row_end(Reader *reader) {
  size_t left = (size_t)(reader->end - reader->at);
  if (left >= 1 && reader->at[0] == '\n') reader->at += 1;
  else if (left >= 2 && reader->at[0] == '\r' && reader->at[1] == '\n') reader->at += 2;
  else return false;
  reader->line++;
  return true;
}

static Stop take_separator(Reader *reader) {
  if (reader->at == reader->end) return AFTER_ALL;
  if (*reader->at == ',') {
    reader->at++;
    return AFTER_COMMA;
  }
  if (take_row_end(reader)) return AFTER_ROW;
  refuse(reader->line, "text after the closing quote of a field");
}

static void take_quoted(Reader *reader, Text *json) {
  size_t opened = reader->line;
  for (reader->at++; reader->at < reader->end; reader->at++) {
    if (*reader->at == '"') {
      if (reader->at + 1 == reader->end || reader->at[1] != '"') {
        reader->at++;
        return;
      }
      reader->at++;
    }
    if (*reader->at == '\n') reader->line++;
    append_json_byte(json, *reader->at);
  }
  refuse(opened, "a quoted field is not closed");
}

static void take_bare(Reader *reader, Text *json) {
  for (; reader->at < reader->end && *reader->at != ',' && *reader->at != '\n'; reader->at++) {
    if (*reader->at == '"') refuse(reader->line, "a quote inside an unquoted field");
    if (*reader->at == '\r') {
      if (reader->at + 1 < reader->end && reader->at[1] == '\n') return;
      refuse(reader->line, "a carriage return without a line feed");
    }
    append_json_byte(json, *reader->at);
  }
}

// Appends one field as a JSON string and returns what follows it.
static Stop take_field(Reader *reader, Text *json) {
  append_string(json, "\"");
  if (reader->at < reader->end && *reader->at == '"') take_quoted(reader, json);
  else take_bare(reader, json);
  append_string(json, "\"");
  return take_separator(reader);
}

static void skip_blank_lines(Reader *reader) {
  while (take_row_end(reader)) continue;
}

// The column names as consecutive JSON strings; `ends` contains the position where each one ends.
typedef struct {
  Text json;
  size_t *ends;
  size_t count;
} Header;

static size_t name_start(const Header *header, size_t index) {
  return index == 0 ? 0 : header->ends[index - 1];
}

// With two members of the same name, JSON parsers differ in which one they keep.
static void refuse_duplicate_name(const Header *header, size_t line) {
  size_t last = header->count - 1;
  size_t start = name_start(header, last);
  size_t length = header->ends[last] - start;
  for (size_t i = 0; i < last; i++) {
    size_t other = name_start(header, i);
    if (header->ends[i] - other != length) continue;
    if (memcmp(header->json.data + other, header->json.data + start, length) == 0) {
      refuse(line, "two columns have the same name");
    }
  }
}

static Header read_header(Reader *reader) {
  Header header = {0};
  size_t line = reader->line;
  Stop stop = AFTER_COMMA;
  while (stop == AFTER_COMMA) {
    stop = take_field(reader, &header.json);
    size_t *ends = realloc(header.ends, (header.count + 1) * sizeof *ends);
    if (ends == NULL) fail("out of memory");
    header.ends = ends;
    header.ends[header.count++] = header.json.length;
    refuse_duplicate_name(&header, line);
  }
  return header;
}

static void read_row(Reader *reader, const Header *header, Text *output) {
  size_t line = reader->line;
  Stop stop = AFTER_COMMA;
  append_string(output, "  {");
  for (size_t i = 0; i < header->count; i++) {
    if (stop != AFTER_COMMA) refuse(line, "the row has fewer fields than the header");
    size_t start = name_start(header, i);
    if (i > 0) append_string(output, ",");
    append(output, header->json.data + start, header->ends[i] - start);
    append_string(output, ":");
    stop = take_field(reader, output);
  }
  if (stop == AFTER_COMMA) refuse(line, "the row has more fields than the header");
  append_string(output, "}");
}

int main(void) {
  Text input = read_everything();
  const unsigned char *start = (const unsigned char *)input.data;
  Reader reader = {start, start + input.length, 1};
  // Spreadsheets write a byte order mark, which is not part of the first name.
  if (input.length >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0) reader.at += 3;
  check_utf8(reader);

  Text output = {0};
  size_t rows = 0;
  append_string(&output, "[");
  skip_blank_lines(&reader);
  if (reader.at < reader.end) {
    Header header = read_header(&reader);
    for (skip_blank_lines(&reader); reader.at < reader.end; skip_blank_lines(&reader)) {
      append_string(&output, rows++ == 0 ? "\n" : ",\n");
      read_row(&reader, &header, &output);
    }
  }
  append_string(&output, rows == 0 ? "]\n" : "\n]\n");
  write_all(STDOUT_FILENO, output.data, output.length);
  return 0;
}
