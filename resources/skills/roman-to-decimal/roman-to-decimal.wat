;; roman-to-decimal: converts the Roman numeral on each line to a decimal number.
;;
;; A numeral is read place by place, thousands first, each place in its canonical form. Anything left at the
;; end of the line, as in IIII or IC, makes the numeral invalid.
;; Exit codes: 0 success, 1 reading or writing failed, 2 a line is not a numeral.
;;
;; Memory:
;;      0  WASI buffer: address, length
;;      8  number of bytes read or written, set by the host
;;     16  error message
;;    512  the line, 16 bytes, and two zeros that end every place
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
  (data (i32.const 16) "roman-to-decimal: a line is not a Roman numeral from I to MMMCMXCIX\n")

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
    (call $write (i32.const 2) (i32.const 16) (i32.const 68))
    (call $exit (i32.const 2)))

  ;; The position of the next letter in the line.
  (global $letter (mut i32) (i32.const 0))

  (func $peek (param $ahead i32) (result i32)
    (i32.load8_u offset=512 (i32.add (global.get $letter) (local.get $ahead))))

  (func $skip (param $letters i32)
    (global.set $letter (i32.add (global.get $letter) (local.get $letters))))

  ;; Reads one decimal place, 0 to 9, given the letters for one, five and ten.
  (func $place (param $one i32) (param $five i32) (param $ten i32) (result i32)
    (local $digit i32)
    (if (i32.eq (call $peek (i32.const 0)) (local.get $one))
      (then
        (if (i32.eq (call $peek (i32.const 1)) (local.get $ten))
          (then
            (call $skip (i32.const 2))
            (return (i32.const 9))))
        (if (i32.eq (call $peek (i32.const 1)) (local.get $five))
          (then
            (call $skip (i32.const 2))
            (return (i32.const 4))))))
    (if (i32.eq (call $peek (i32.const 0)) (local.get $five))
      (then
        (call $skip (i32.const 1))
        (local.set $digit (i32.const 5))))
    (block $done
      (loop $ones
        (br_if $done (i32.ne (call $peek (i32.const 0)) (local.get $one)))
        (br_if $done (i32.eq (i32.rem_u (local.get $digit) (i32.const 5)) (i32.const 3)))
        (call $skip (i32.const 1))
        (local.set $digit (i32.add (local.get $digit) (i32.const 1)))
        (br $ones)))
    (local.get $digit))

  (func $value (result i32)
    (local $sum i32)
    (global.set $letter (i32.const 0))
    ;; There are no letters for five and ten thousand; 255 never occurs in a line.
    (local.set $sum (call $place (i32.const 77) (i32.const 255) (i32.const 255)))
    (local.set $sum
      (i32.add
        (i32.mul (local.get $sum) (i32.const 10))
        (call $place (i32.const 67) (i32.const 68) (i32.const 77)))) ;; C D M
    (local.set $sum
      (i32.add
        (i32.mul (local.get $sum) (i32.const 10))
        (call $place (i32.const 88) (i32.const 76) (i32.const 67)))) ;; X L C
    (i32.add
      (i32.mul (local.get $sum) (i32.const 10))
      (call $place (i32.const 73) (i32.const 86) (i32.const 88)))) ;; I V X

  (func $put_number (param $number i32)
    (if (i32.gt_u (local.get $number) (i32.const 9))
      (then (call $put_number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $put (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10)))))

  (func $answer (param $length i32)
    (local $number i32)
    (i32.store16 offset=512 (local.get $length) (i32.const 0))
    (local.set $number (call $value))
    (if (i32.ne (global.get $letter) (local.get $length))
      (then (call $refuse)))
    (call $put_number (local.get $number))
    (call $put (i32.const 10)))

  (func (export "_start")
    (local $byte i32) (local $length i32)
    (loop $more
      (local.set $byte (call $next))
      (br_if $more (i32.eq (local.get $byte) (i32.const 13)))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 10)) (i32.eq (local.get $byte) (i32.const -1)))
        (then
          (if (local.get $length)
            (then (call $answer (local.get $length))))
          (local.set $length (i32.const 0))
          (br_if $more (i32.eq (local.get $byte) (i32.const 10)))
          (call $flush)
          (return)))
      ;; The longest numeral has fifteen letters.
      (if (i32.gt_u (local.get $length) (i32.const 15))
        (then (call $refuse)))
      ;; Converts letters to upper case. No other byte becomes one of the seven letters.
      (if (i32.lt_u (i32.sub (local.get $byte) (i32.const 97)) (i32.const 26))
        (then (local.set $byte (i32.sub (local.get $byte) (i32.const 32)))))
      (i32.store8 offset=512 (local.get $length) (local.get $byte))
      (local.set $length (i32.add (local.get $length) (i32.const 1)))
      (br $more))))
