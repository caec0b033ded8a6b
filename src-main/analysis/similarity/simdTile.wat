;; Dot products of 2 vectors with 4 vectors at a time: the inner loop of the similarity of dense
;; embeddings. Eight sums of four lanes stay in registers, and each loaded value is used by several
;; of them. `scripts/compileKernels.ts` compiles this file into kernelBytes.ts.
;;
;; Vectors are rows of 32-bit floats, padded with zeros to a multiple of 16 values.
(module
  ;; Any shared memory will do; the host decides how far it may grow.
  (import "host" "memory" (memory 0 65536 shared))

  (func (export "run")
    (param $a i32) ;; address of 2 vectors
    (param $b i32) ;; address of groups x 4 vectors
    (param $groups i32) ;; at least 1
    (param $bytes i32) ;; length of a vector in bytes, at least 64
    (param $out i32) ;; address of 2 rows of groups x 4 products
    (param $outBytes i32) ;; length of such a row in bytes
    (local $a0 i32) (local $a1 i32)
    (local $b0 i32) (local $b1 i32) (local $b2 i32) (local $b3 i32)
    (local $end i32)
    (local $x0 v128) (local $x1 v128) (local $y v128)
    (local $sum00 v128) (local $sum01 v128) (local $sum02 v128) (local $sum03 v128)
    (local $sum10 v128) (local $sum11 v128) (local $sum12 v128) (local $sum13 v128)

    (loop $nextGroup
      (local.set $a0 (i32.add (local.get $a) (i32.mul (local.get $bytes) (i32.const 0))))
      (local.set $a1 (i32.add (local.get $a) (i32.mul (local.get $bytes) (i32.const 1))))
      (local.set $b0 (i32.add (local.get $b) (i32.mul (local.get $bytes) (i32.const 0))))
      (local.set $b1 (i32.add (local.get $b) (i32.mul (local.get $bytes) (i32.const 1))))
      (local.set $b2 (i32.add (local.get $b) (i32.mul (local.get $bytes) (i32.const 2))))
      (local.set $b3 (i32.add (local.get $b) (i32.mul (local.get $bytes) (i32.const 3))))
      (local.set $end (i32.add (local.get $a) (local.get $bytes)))
      (local.set $sum00 (v128.const i32x4 0 0 0 0))
      (local.set $sum01 (v128.const i32x4 0 0 0 0))
      (local.set $sum02 (v128.const i32x4 0 0 0 0))
      (local.set $sum03 (v128.const i32x4 0 0 0 0))
      (local.set $sum10 (v128.const i32x4 0 0 0 0))
      (local.set $sum11 (v128.const i32x4 0 0 0 0))
      (local.set $sum12 (v128.const i32x4 0 0 0 0))
      (local.set $sum13 (v128.const i32x4 0 0 0 0))

      ;; 16 values of every vector in one step, four lanes at a time.
      (loop $nextValues
        (local.set $x0 (v128.load (local.get $a0)))
        (local.set $x1 (v128.load (local.get $a1)))
        (local.set $y (v128.load (local.get $b0)))
        (local.set $sum00 (f32x4.add (local.get $sum00) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum10 (f32x4.add (local.get $sum10) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load (local.get $b1)))
        (local.set $sum01 (f32x4.add (local.get $sum01) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum11 (f32x4.add (local.get $sum11) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load (local.get $b2)))
        (local.set $sum02 (f32x4.add (local.get $sum02) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum12 (f32x4.add (local.get $sum12) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load (local.get $b3)))
        (local.set $sum03 (f32x4.add (local.get $sum03) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum13 (f32x4.add (local.get $sum13) (f32x4.mul (local.get $x1) (local.get $y))))

        (local.set $x0 (v128.load offset=16 (local.get $a0)))
        (local.set $x1 (v128.load offset=16 (local.get $a1)))
        (local.set $y (v128.load offset=16 (local.get $b0)))
        (local.set $sum00 (f32x4.add (local.get $sum00) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum10 (f32x4.add (local.get $sum10) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=16 (local.get $b1)))
        (local.set $sum01 (f32x4.add (local.get $sum01) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum11 (f32x4.add (local.get $sum11) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=16 (local.get $b2)))
        (local.set $sum02 (f32x4.add (local.get $sum02) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum12 (f32x4.add (local.get $sum12) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=16 (local.get $b3)))
        (local.set $sum03 (f32x4.add (local.get $sum03) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum13 (f32x4.add (local.get $sum13) (f32x4.mul (local.get $x1) (local.get $y))))

        (local.set $x0 (v128.load offset=32 (local.get $a0)))
        (local.set $x1 (v128.load offset=32 (local.get $a1)))
        (local.set $y (v128.load offset=32 (local.get $b0)))
        (local.set $sum00 (f32x4.add (local.get $sum00) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum10 (f32x4.add (local.get $sum10) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=32 (local.get $b1)))
        (local.set $sum01 (f32x4.add (local.get $sum01) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum11 (f32x4.add (local.get $sum11) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=32 (local.get $b2)))
        (local.set $sum02 (f32x4.add (local.get $sum02) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum12 (f32x4.add (local.get $sum12) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=32 (local.get $b3)))
        (local.set $sum03 (f32x4.add (local.get $sum03) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum13 (f32x4.add (local.get $sum13) (f32x4.mul (local.get $x1) (local.get $y))))

        (local.set $x0 (v128.load offset=48 (local.get $a0)))
        (local.set $x1 (v128.load offset=48 (local.get $a1)))
        (local.set $y (v128.load offset=48 (local.get $b0)))
        (local.set $sum00 (f32x4.add (local.get $sum00) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum10 (f32x4.add (local.get $sum10) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=48 (local.get $b1)))
        (local.set $sum01 (f32x4.add (local.get $sum01) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum11 (f32x4.add (local.get $sum11) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=48 (local.get $b2)))
        (local.set $sum02 (f32x4.add (local.get $sum02) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum12 (f32x4.add (local.get $sum12) (f32x4.mul (local.get $x1) (local.get $y))))
        (local.set $y (v128.load offset=48 (local.get $b3)))
        (local.set $sum03 (f32x4.add (local.get $sum03) (f32x4.mul (local.get $x0) (local.get $y))))
        (local.set $sum13 (f32x4.add (local.get $sum13) (f32x4.mul (local.get $x1) (local.get $y))))

        (local.set $a0 (i32.add (local.get $a0) (i32.const 64)))
        (local.set $a1 (i32.add (local.get $a1) (i32.const 64)))
        (local.set $b0 (i32.add (local.get $b0) (i32.const 64)))
        (local.set $b1 (i32.add (local.get $b1) (i32.const 64)))
        (local.set $b2 (i32.add (local.get $b2) (i32.const 64)))
        (local.set $b3 (i32.add (local.get $b3) (i32.const 64)))
        (br_if $nextValues (i32.lt_u (local.get $a0) (local.get $end))))

      ;; The sum of the four lanes, from the first to the last, is the product.
      (f32.store (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 0)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum00)) (f32x4.extract_lane 1 (local.get $sum00)))
            (f32x4.extract_lane 2 (local.get $sum00)))
          (f32x4.extract_lane 3 (local.get $sum00))))
      (f32.store offset=4 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 0)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum01)) (f32x4.extract_lane 1 (local.get $sum01)))
            (f32x4.extract_lane 2 (local.get $sum01)))
          (f32x4.extract_lane 3 (local.get $sum01))))
      (f32.store offset=8 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 0)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum02)) (f32x4.extract_lane 1 (local.get $sum02)))
            (f32x4.extract_lane 2 (local.get $sum02)))
          (f32x4.extract_lane 3 (local.get $sum02))))
      (f32.store offset=12 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 0)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum03)) (f32x4.extract_lane 1 (local.get $sum03)))
            (f32x4.extract_lane 2 (local.get $sum03)))
          (f32x4.extract_lane 3 (local.get $sum03))))
      (f32.store (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 1)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum10)) (f32x4.extract_lane 1 (local.get $sum10)))
            (f32x4.extract_lane 2 (local.get $sum10)))
          (f32x4.extract_lane 3 (local.get $sum10))))
      (f32.store offset=4 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 1)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum11)) (f32x4.extract_lane 1 (local.get $sum11)))
            (f32x4.extract_lane 2 (local.get $sum11)))
          (f32x4.extract_lane 3 (local.get $sum11))))
      (f32.store offset=8 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 1)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum12)) (f32x4.extract_lane 1 (local.get $sum12)))
            (f32x4.extract_lane 2 (local.get $sum12)))
          (f32x4.extract_lane 3 (local.get $sum12))))
      (f32.store offset=12 (i32.add (local.get $out) (i32.mul (local.get $outBytes) (i32.const 1)))
        (f32.add
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum13)) (f32x4.extract_lane 1 (local.get $sum13)))
            (f32x4.extract_lane 2 (local.get $sum13)))
          (f32x4.extract_lane 3 (local.get $sum13))))

      (local.set $b (i32.add (local.get $b) (i32.mul (local.get $bytes) (i32.const 4))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $nextGroup (local.get $groups)))))
