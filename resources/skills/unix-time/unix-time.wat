;; unix-time: converts Unix timestamps, one per line, to ISO 8601 dates and times in UTC.
;;
;; Years are counted from March, so that a leap day is the last day of its year and needs no special case. An
;; era is the 400 years after which the calendar repeats.
;; Exit codes: 0 success, 1 reading or writing failed, 2 a line is not a valid timestamp.
;;
;; Memory:
;;      0  WASI buffer: address, length
;;      8  number of bytes read or written, set by the host
;;     16  error message
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
  (data (i32.const 16) "unix-time: a line is not a whole number from 0 to 253402300799\n")

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
    (call $write (i32.const 2) (i32.const 16) (i32.const 63))
    (call $exit (i32.const 2)))

  ;; Writes a fixed number of decimal digits, with leading zeros.
  (func $put_digits (param $number i32) (param $digits i32)
    (if (i32.gt_u (local.get $digits) (i32.const 1))
      (then
        (call $put_digits
          (i32.div_u (local.get $number) (i32.const 10))
          (i32.sub (local.get $digits) (i32.const 1)))))
    (call $put (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10)))))

  (func $put_date (param $days i32)
    (local $era i32) (local $day i32) (local $year i32) (local $month i32)
    ;; Days since 0000-03-01, which is 719,468 days before 1970. An era has 146,097 days.
    (local.set $days (i32.add (local.get $days) (i32.const 719468)))
    (local.set $era (i32.div_u (local.get $days) (i32.const 146097)))
    (local.set $day (i32.rem_u (local.get $days) (i32.const 146097)))
    (local.set $year
      (i32.div_u
        (i32.sub
          (i32.add
            (i32.sub (local.get $day) (i32.div_u (local.get $day) (i32.const 1460)))
            (i32.div_u (local.get $day) (i32.const 36524)))
          (i32.div_u (local.get $day) (i32.const 146096)))
        (i32.const 365)))
    (local.set $day
      (i32.sub
        (local.get $day)
        (i32.sub
          (i32.add
            (i32.mul (local.get $year) (i32.const 365))
            (i32.div_u (local.get $year) (i32.const 4)))
          (i32.div_u (local.get $year) (i32.const 100)))))
    ;; Any five consecutive months from March on have 153 days; 0 is March.
    (local.set $month
      (i32.div_u
        (i32.add (i32.mul (local.get $day) (i32.const 5)) (i32.const 2))
        (i32.const 153)))
    (local.set $day
      (i32.sub
        (local.get $day)
        (i32.div_u
          (i32.add (i32.mul (local.get $month) (i32.const 153)) (i32.const 2))
          (i32.const 5))))
    (local.set $year
      (i32.add
        (i32.add (local.get $year) (i32.mul (local.get $era) (i32.const 400)))
        (i32.gt_u (local.get $month) (i32.const 9))))
    (local.set $month
      (i32.add
        (local.get $month)
        (select (i32.const -9) (i32.const 3) (i32.gt_u (local.get $month) (i32.const 9)))))
    (call $put_digits (local.get $year) (i32.const 4))
    (call $put (i32.const 45))
    (call $put_digits (local.get $month) (i32.const 2))
    (call $put (i32.const 45))
    (call $put_digits (i32.add (local.get $day) (i32.const 1)) (i32.const 2)))

  (func $put_time (param $second i32)
    (call $put (i32.const 84))
    (call $put_digits (i32.div_u (local.get $second) (i32.const 3600)) (i32.const 2))
    (call $put (i32.const 58))
    (call $put_digits
      (i32.rem_u (i32.div_u (local.get $second) (i32.const 60)) (i32.const 60))
      (i32.const 2))
    (call $put (i32.const 58))
    (call $put_digits (i32.rem_u (local.get $second) (i32.const 60)) (i32.const 2))
    (call $put (i32.const 90))
    (call $put (i32.const 10)))

  (func (export "_start")
    (local $byte i32) (local $digit i32) (local $some i32) (local $number i64)
    (loop $more
      (local.set $byte (call $next))
      (local.set $digit (i32.sub (local.get $byte) (i32.const 48)))
      (if (i32.lt_u (local.get $digit) (i32.const 10))
        (then
          (local.set $some (i32.const 1))
          (local.set $number
            (i64.add
              (i64.mul (local.get $number) (i64.const 10))
              (i64.extend_i32_u (local.get $digit))))
          ;; The last second of the year 9999. Compared after each digit, so that the number cannot overflow.
          (if (i64.gt_u (local.get $number) (i64.const 253402300799))
            (then (call $refuse)))
          (br $more)))
      (br_if $more (i32.eq (local.get $byte) (i32.const 13)))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 10)) (i32.eq (local.get $byte) (i32.const -1)))
        (then
          (if (local.get $some)
            (then
              (call $put_date (i32.wrap_i64 (i64.div_u (local.get $number) (i64.const 86400))))
              (call $put_time (i32.wrap_i64 (i64.rem_u (local.get $number) (i64.const 86400))))))
          (local.set $some (i32.const 0))
          (local.set $number (i64.const 0))
          (br_if $more (i32.eq (local.get $byte) (i32.const 10)))
          (call $flush)
          (return)))
      (call $refuse))))
