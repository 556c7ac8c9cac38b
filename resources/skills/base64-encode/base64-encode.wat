;; base64-encode: encodes standard input as Base64 (RFC 4648, section 4) on one line.
;;
;; Processes the input in chunks of 48 KiB, a multiple of three, so that only the last chunk is padded and input
;; of any length is possible. Empty input produces empty output.
;; Exit codes: 0 success, 1 reading or writing failed.
;;
;; Memory:
;;      0  WASI buffer: address, length
;;      8  number of bytes read or written, set by the host
;;     16  alphabet, 64 bytes
;;     80  line feed
;;   1024  input chunk, 49,152 bytes
;;  65536  encoded chunk, 65,536 bytes
(module
  (import "wasi_snapshot_preview1" "fd_read"
    (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write"
    (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit"
    (func $proc_exit (param i32)))

  (memory (export "memory") 2 2)
  (data (i32.const 16) "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  (data (i32.const 80) "\n")

  (func $fail
    (call $proc_exit (i32.const 1))
    (unreachable))

  ;; Reads until the chunk is full or the input ends, and returns its length. A host may return less than
  ;; requested at any time, which must not cause padding in the middle.
  (func $read_piece (result i32)
    (local $length i32)
    (block $ended
      (loop $more
        (br_if $ended (i32.eq (local.get $length) (i32.const 49152)))
        (i32.store (i32.const 0) (i32.add (i32.const 1024) (local.get $length)))
        (i32.store (i32.const 4) (i32.sub (i32.const 49152) (local.get $length)))
        (if (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $fail)))
        (br_if $ended (i32.eqz (i32.load (i32.const 8))))
        (local.set $length (i32.add (local.get $length) (i32.load (i32.const 8))))
        (br $more)))
    (local.get $length))

  (func $write (param $address i32) (param $length i32)
    (block $done
      (loop $more
        (br_if $done (i32.eqz (local.get $length)))
        (i32.store (i32.const 0) (local.get $address))
        (i32.store (i32.const 4) (local.get $length))
        (if (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $fail)))
        ;; A host that writes nothing and reports no error would cause an endless loop.
        (if (i32.eqz (i32.load (i32.const 8)))
          (then (call $fail)))
        (local.set $address (i32.add (local.get $address) (i32.load (i32.const 8))))
        (local.set $length (i32.sub (local.get $length) (i32.load (i32.const 8))))
        (br $more))))

  ;; The letter for six of the 24 bits in $group: those that $shift moves to the lowest position.
  (func $letter (param $group i32) (param $shift i32) (result i32)
    (i32.load8_u offset=16
      (i32.and (i32.shr_u (local.get $group) (local.get $shift)) (i32.const 63))))

  ;; Encodes $length bytes from 1024 to 65536 and returns the encoded length. The two bytes after the input
  ;; are cleared first, because the last group reads them.
  (func $encode (param $length i32) (result i32)
    (local $from i32) (local $to i32) (local $left i32) (local $group i32)
    (i32.store16 (i32.add (i32.const 1024) (local.get $length)) (i32.const 0))
    (local.set $from (i32.const 1024))
    (local.set $to (i32.const 65536))
    (local.set $left (local.get $length))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $left) (i32.const 0)))
        (local.set $group
          (i32.or
            (i32.or
              (i32.shl (i32.load8_u (local.get $from)) (i32.const 16))
              (i32.shl (i32.load8_u offset=1 (local.get $from)) (i32.const 8)))
            (i32.load8_u offset=2 (local.get $from))))
        (i32.store8 (local.get $to) (call $letter (local.get $group) (i32.const 18)))
        (i32.store8 offset=1 (local.get $to) (call $letter (local.get $group) (i32.const 12)))
        (i32.store8 offset=2 (local.get $to)
          (select
            (i32.const 61) ;; =
            (call $letter (local.get $group) (i32.const 6))
            (i32.eq (local.get $left) (i32.const 1))))
        (i32.store8 offset=3 (local.get $to)
          (select
            (i32.const 61) ;; =
            (call $letter (local.get $group) (i32.const 0))
            (i32.lt_s (local.get $left) (i32.const 3))))
        (local.set $from (i32.add (local.get $from) (i32.const 3)))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (local.set $left (i32.sub (local.get $left) (i32.const 3)))
        (br $next)))
    (i32.sub (local.get $to) (i32.const 65536)))

  (func (export "_start")
    (local $length i32) (local $some i32)
    (block $ended
      (loop $next
        (local.set $length (call $read_piece))
        (br_if $ended (i32.eqz (local.get $length)))
        (local.set $some (i32.const 1))
        (call $write (i32.const 65536) (call $encode (local.get $length)))
        (br_if $next (i32.eq (local.get $length) (i32.const 49152)))))
    (if (local.get $some)
      (then (call $write (i32.const 80) (i32.const 1))))))
