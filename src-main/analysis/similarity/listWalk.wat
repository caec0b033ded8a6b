;; Walks lists of weighted members and adds weight x weight to the sums: the inner loop of the
;; similarity of sparse vectors. The addresses are anywhere in the memory, and here no access is
;; checked against the length of an array. `scripts/compileKernels.ts` compiles this file into
;; kernelBytes.ts.
;;
;; A walk is 12 bytes: address of the first member, address after the last one, own weight.
;; A member is 8 bytes: offset of its sum in bytes, its weight. No list is empty.
(module
  ;; Any shared memory will do; the host decides how far it may grow.
  (import "host" "memory" (memory 0 65536 shared))

  (func (export "run")
    (param $walk i32) ;; address of the first walk
    (param $end i32) ;; address after the last one
    (param $sums i32) ;; address of the first sum
    (local $member i32) (local $last i32) (local $sum i32)
    (local $own f32)

    (loop $nextWalk
      (local.set $member (i32.load (local.get $walk)))
      (local.set $last (i32.load offset=4 (local.get $walk)))
      (local.set $own (f32.load offset=8 (local.get $walk)))

      (loop $nextMember
        (local.set $sum (i32.add (i32.load (local.get $member)) (local.get $sums)))
        (f32.store (local.get $sum)
          (f32.add
            (f32.load (local.get $sum))
            (f32.mul (local.get $own) (f32.load offset=4 (local.get $member)))))
        (local.set $member (i32.add (local.get $member) (i32.const 8)))
        (br_if $nextMember (i32.lt_u (local.get $member) (local.get $last))))

      (local.set $walk (i32.add (local.get $walk) (i32.const 12)))
      (br_if $nextWalk (i32.lt_u (local.get $walk) (local.get $end))))))
