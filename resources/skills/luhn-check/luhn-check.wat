;; luhn-check: determines whether each line of digits passes the Luhn check (ISO/IEC 7812-1, annex B).
;;
;; The check doubles every second digit from the right, but the length of a number is unknown while reading it.
;; So two sums are kept, one as if the current digit were the last, and one as if another digit followed. With
;; each digit they swap roles.
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
  (data (i32.const 16) "luhn-check: the input contains something other than digits, spaces, hyphens and line ends\n")
  (data (i32.const 112) "valid\n")
  (data (i32.const 120) "invalid\n")

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
    (call $write (i32.const 2) (i32.const 16) (i32.const 90))
    (call $exit (i32.const 2)))

  (func $put_text (param $address i32) (param $length i32)
    (local $i i32)
    (loop $more
      (call $put (i32.load8_u (i32.add (local.get $address) (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $i) (local.get $length)))))

  (func (export "_start")
    (local $byte i32) (local $digit i32) (local $digits i32)
    (local $sum i32) (local $other i32) (local $before i32)
    (loop $more
      (local.set $byte (call $next))
      (local.set $digit (i32.sub (local.get $byte) (i32.const 48)))
      (if (i32.lt_u (local.get $digit) (i32.const 10))
        (then
          (local.set $digits (i32.add (local.get $digits) (i32.const 1)))
          (local.set $before (local.get $sum))
          (local.set $sum (i32.rem_u (i32.add (local.get $other) (local.get $digit)) (i32.const 10)))
          ;; Doubled, with the digits of a result above nine added: 2d, or 2d - 9.
          (local.set $digit (i32.shl (local.get $digit) (i32.const 1)))
          (if (i32.gt_u (local.get $digit) (i32.const 9))
            (then (local.set $digit (i32.sub (local.get $digit) (i32.const 9)))))
          (local.set $other (i32.rem_u (i32.add (local.get $before) (local.get $digit)) (i32.const 10)))
          (br $more)))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 10)) (i32.eq (local.get $byte) (i32.const -1)))
        (then
          (if (local.get $digits)
            (then
              (if (i32.and (i32.eqz (local.get $sum)) (i32.gt_u (local.get $digits) (i32.const 1)))
                (then (call $put_text (i32.const 112) (i32.const 6)))
                (else (call $put_text (i32.const 120) (i32.const 8))))))
          (local.set $digits (i32.const 0))
          (local.set $sum (i32.const 0))
          (local.set $other (i32.const 0))
          (br_if $more (i32.eq (local.get $byte) (i32.const 10)))
          (call $flush)
          (return)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 32)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 45)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 13)))
      (call $refuse))))
