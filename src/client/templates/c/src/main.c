// lines-to-json: reads text on standard input, writes its lines as a JSON array of strings.
//
// It processes the text byte by byte, so memory use does not grow with the size of the input or the length of a line.
// Input that is not valid UTF-8 is rejected, because JSON must be UTF-8.
// Exit codes: 0 done, 1 reading or writing failed, 2 the input is not UTF-8.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_BAD_INPUT = 2 };

static size_t line;         // the line being read, from 1; 0 before the first
static bool is_line_open;   // whether its closing quote is still to be written
static bool is_return_held; // whether the last byte was a carriage return, which is not written yet

// The UTF-8 character being read: the number of bytes still expected, and the range of the next one.
static int pending, lowest, highest;

// ---- Writing -------------------------------------------------------------------------------------------------

static void put_escaped(int byte) {
  switch (byte) {
    case '"': fputs("\\\"", stdout); break;
    case '\\': fputs("\\\\", stdout); break;
    case '\t': fputs("\\t", stdout); break;
    case '\r': fputs("\\r", stdout); break;
    default:
      if (byte < 0x20) printf("\\u%04x", byte);
      else putchar(byte);
  }
}

static void open_line(void) {
  if (is_line_open) return;
  fputs(line == 0 ? "\"" : ",\"", stdout);
  line++;
  is_line_open = true;
}

static void close_line(void) {
  open_line(); // an empty line has not been opened yet
  putchar('"');
  is_line_open = false;
}

// A carriage return is part of the line unless a line feed follows.
static void release_return(void) {
  if (is_return_held) put_escaped('\r');
  is_return_held = false;
}

// ---- Reading -------------------------------------------------------------------------------------------------

static void take(int byte) {
  if (byte == '\n') {
    is_return_held = false;
    close_line();
    return;
  }
  open_line();
  release_return();
  if (byte == '\r') is_return_held = true;
  else put_escaped(byte);
}

static void expect(int count, int from, int to) {
  pending = count;
  lowest = from;
  highest = to;
}

// Whether the bytes up to this one are valid UTF-8: no incomplete or overlong character, and no surrogate.
static bool is_utf8(int byte) {
  if (pending > 0) {
    if (byte < lowest || byte > highest) return false;
    expect(pending - 1, 0x80, 0xbf);
  } else if (byte >= 0x80) {
    if (byte < 0xc2 || byte > 0xf4) return false;
    else if (byte < 0xe0) expect(1, 0x80, 0xbf);
    else if (byte < 0xf0) expect(2, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf);
    else expect(3, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf);
  }
  return true;
}

// ---- Ending --------------------------------------------------------------------------------------------------

// An error is one line on standard error: the program, the place and the problem.
_Noreturn static void reject(void) {
  fflush(stdout);
  fprintf(stderr, "lines-to-json: line %zu is not UTF-8\n", is_line_open ? line : line + 1);
  exit(EXIT_BAD_INPUT);
}

_Noreturn static void fail(const char *what) {
  perror(what);
  exit(EXIT_FAILURE);
}

int main(void) {
  int byte;
  putchar('[');
  while ((byte = getchar()) != EOF) {
    if (!is_utf8(byte)) reject();
    take(byte);
  }
  if (ferror(stdin)) fail("lines-to-json: standard input");
  if (pending > 0) reject();
  release_return();
  if (is_line_open) close_line();
  puts("]");
  if (fflush(stdout) != 0 || ferror(stdout)) fail("lines-to-json: standard output");
  return EXIT_SUCCESS;
}
