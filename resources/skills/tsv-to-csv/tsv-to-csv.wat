;; tsv-to-csv: converts tab-separated lines to CSV (RFC 4180) with every field quoted.
;;
;; Works byte by byte. The only state is a pending carriage return: it is part of a line break if a line feed
;; follows, and part of a field otherwise.
;; Exit codes: 0 success, 1 reading or writing failed.
;;
;; Memory:
;;      0  WASI buffer: address, length
;;      8  number of bytes read or written, set by the host
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

  (func $put_quote
    (call $put (i32.const 34)))

  (func (export "_start")
    (local $byte i32) (local $inside i32) (local $return i32)
    (block $ended
      (loop $more
        (local.set $byte (call $next))
        (br_if $ended (i32.eq (local.get $byte) (i32.const -1)))
        (if (i32.eqz (local.get $inside))
          (then
            (call $put_quote)
            (local.set $inside (i32.const 1))))
        (if (i32.eq (local.get $byte) (i32.const 10))
          (then
            (call $put_quote)
            (call $put (i32.const 10))
            (local.set $inside (i32.const 0))
            (local.set $return (i32.const 0))
            (br $more)))
        (if (local.get $return)
          (then (call $put (i32.const 13))))
        (local.set $return (i32.eq (local.get $byte) (i32.const 13)))
        (br_if $more (local.get $return))
        (if (i32.eq (local.get $byte) (i32.const 9))
          (then
            (call $put_quote)
            (call $put (i32.const 44))
            (call $put_quote)
            (br $more)))
        (if (i32.eq (local.get $byte) (i32.const 34))
          (then (call $put_quote)))
        (call $put (local.get $byte))
        (br $more)))
    (if (local.get $inside)
      (then
        (call $put_quote)
        (call $put (i32.const 10))))
    (call $flush)))
