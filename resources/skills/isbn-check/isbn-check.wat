;; isbn-check: determines whether each line is an ISBN-10, an ISBN-13 or neither.
;;
;; Computes both weighted sums while reading, because the kind is known only at the end of the line.
;; Exit codes: 0 success, 1 reading or writing failed, 2 the input contains something other than numbers.
;;
;; Memory:
;;      0  WASI buffer: address, length
;;      8  number of bytes read or written, set by the host
;;     16  error message
;;    112  results
;;   1024  input chunk, 16,384 bytes
;;  32768  output chunk, 16,384 bytes
(module
  (import "wasi_snapshot_preview1" "fd_read"
    (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write"
    (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit"
    (func $proc_exit (param i32)))

  (memory (export "memory") 1 1)
  (data (i32.const 16) "isbn-check: the input contains something other than digits, X, spaces, hyphens and line ends\n")
  (data (i32.const 112) "isbn-10\n")
  (data (i32.const 120) "isbn-13\n")
  (data (i32.const 128) "invalid\n")

  ;; Position and end in the input chunk; number of bytes in the output chunk.
  (global $at (mut i32) (i32.const 0))
  (global $end (mut i32) (i32.const 0))
  (global $held (mut i32) (i32.const 0))

  (func $exit (param $code i32)
    (call $proc_exit (local.get $code))
    (unreachable))

  (func $write (param $file i32) (param $address i32) (param $length i32)
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get $length)))
        (i32.store (i32.const 0) (local.get $address))
        (i32.store (i32.const 4) (local.get $length))
        (if (call $fd_write (local.get $file) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $exit (i32.const 1))))
        ;; A host that writes nothing and reports no error would cause an endless loop.
        (if (i32.eqz (i32.load (i32.const 8)))
          (then (call $exit (i32.const 1))))
        (local.set $address (i32.add (local.get $address) (i32.load (i32.const 8))))
        (local.set $length (i32.sub (local.get $length) (i32.load (i32.const 8))))
        (br $more))))

  (func $flush
    (call $write (i32.const 1) (i32.const 32768) (global.get $held))
    (global.set $held (i32.const 0)))

  (func $put (param $byte i32)
    (if (i32.eq (global.get $held) (i32.const 16384))
      (then (call $flush)))
    (i32.store8 offset=32768 (global.get $held) (local.get $byte))
    (global.set $held (i32.add (global.get $held) (i32.const 1))))

  ;; Returns the next byte of the input, or -1 at its end.
  (func $next (result i32)
    (local $byte i32)
    (if (i32.eq (global.get $at) (global.get $end))
      (then
        (i32.store (i32.const 0) (i32.const 1024))
        (i32.store (i32.const 4) (i32.const 16384))
        (if (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $exit (i32.const 1))))
        (global.set $at (i32.const 0))
        (global.set $end (i32.load (i32.const 8)))
        (if (i32.eqz (global.get $end))
          (then (return (i32.const -1))))))
    (local.set $byte (i32.load8_u offset=1024 (global.get $at)))
    (global.set $at (i32.add (global.get $at) (i32.const 1)))
    (local.get $byte))

  (func $refuse
    (call $write (i32.const 2) (i32.const 16) (i32.const 93))
    (call $exit (i32.const 2)))

  (func $put_text (param $address i32) (param $length i32)
    (local $i i32)
    (loop $more
      (call $put (i32.load8_u (i32.add (local.get $address) (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $i) (local.get $length)))))

  ;; The address of the result (eight bytes) for the line that has ended.
  (func $judge (param $digits i32) (param $x i32) (param $prefix i32) (param $ten i32) (param $thirteen i32)
    (result i32)
    (if (i32.eq (local.get $digits) (i32.const 10))
      (then
        (if (i32.eqz (i32.rem_u (local.get $ten) (i32.const 11)))
          (then (return (i32.const 112))))))
    (if (i32.and (i32.eq (local.get $digits) (i32.const 13)) (i32.eqz (local.get $x)))
      (then
        ;; 978 and 979 are the prefixes of books.
        (if (i32.lt_u (i32.sub (local.get $prefix) (i32.const 978)) (i32.const 2))
          (then
            (if (i32.eqz (i32.rem_u (local.get $thirteen) (i32.const 10)))
              (then (return (i32.const 120))))))))
    (i32.const 128))

  (func (export "_start")
    (local $byte i32) (local $digit i32) (local $digits i32) (local $x i32)
    (local $prefix i32) (local $ten i32) (local $thirteen i32)
    (loop $more
      (local.set $byte (call $next))
      (local.set $digit (i32.sub (local.get $byte) (i32.const 48)))
      (if (i32.eq (i32.or (local.get $byte) (i32.const 32)) (i32.const 120))
        (then
          ;; X means ten, only as the last character of an ISBN-10. Elsewhere the number becomes too long for one.
          (local.set $x (i32.const 1))
          (local.set $digit (i32.const 10))
          (if (i32.ne (local.get $digits) (i32.const 9))
            (then (local.set $digits (i32.const 99))))))
      (if (i32.le_u (local.get $digit) (i32.const 10))
        (then
          ;; A colon is the character after 9.
          (if (i32.eq (local.get $byte) (i32.const 58))
            (then (call $refuse)))
          (if (i32.lt_u (local.get $digits) (i32.const 3))
            (then
              (local.set $prefix
                (i32.add (i32.mul (local.get $prefix) (i32.const 10)) (local.get $digit)))))
          (local.set $thirteen
            (i32.add
              (local.get $thirteen)
              (i32.mul
                (local.get $digit)
                (select (i32.const 3) (i32.const 1) (i32.and (local.get $digits) (i32.const 1))))))
          (local.set $digits (i32.add (local.get $digits) (i32.const 1)))
          (local.set $ten
            (i32.add (local.get $ten) (i32.mul (local.get $digit) (local.get $digits))))
          (br $more)))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 10)) (i32.eq (local.get $byte) (i32.const -1)))
        (then
          (if (local.get $digits)
            (then
              (call $put_text
                (call $judge
                  (local.get $digits) (local.get $x) (local.get $prefix) (local.get $ten) (local.get $thirteen))
                (i32.const 8))))
          (local.set $digits (i32.const 0))
          (local.set $x (i32.const 0))
          (local.set $prefix (i32.const 0))
          (local.set $ten (i32.const 0))
          (local.set $thirteen (i32.const 0))
          (br_if $more (i32.eq (local.get $byte) (i32.const 10)))
          (call $flush)
          (return)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 32)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 45)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 13)))
      (call $refuse))))
