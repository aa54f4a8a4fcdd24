# Loops whose cycles follow from latencies and ports alone.
        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm

        function chain_of_products      # 4 products, each waits for the one before
1:      vmulpd  %ymm1, %ymm0, %ymm0
        vmulpd  %ymm1, %ymm0, %ymm0
        vmulpd  %ymm1, %ymm0, %ymm0
        vmulpd  %ymm1, %ymm0, %ymm0
        dec     %rdi
        jnz     1b
        ret

        function chain_of_sums          # through a copy, which takes no time
1:      vaddpd  %ymm1, %ymm0, %ymm2
        vmovapd %ymm2, %ymm0
        dec     %rdi
        jnz     1b
        ret

        function independent_products   # 12 chains of one each
1:      .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        vfmadd231pd %ymm15, %ymm14, %ymm\n
        .endr
        dec     %rdi
        jnz     1b
        ret

        function wide_products
1:      .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        vfmadd231pd %zmm15, %zmm14, %zmm\n
        .endr
        dec     %rdi
        jnz     1b
        ret

        function quotients              # the divider takes one each 8 cycles
1:      vdivpd  %ymm15, %ymm14, %ymm0
        vdivpd  %ymm15, %ymm14, %ymm1
        dec     %rdi
        jnz     1b
        ret

        function accumulator_in_memory  # load, add, store at one address
1:      vmovsd  (%rsi), %xmm0
        vaddsd  %xmm1, %xmm0, %xmm0
        vmovsd  %xmm0, (%rsi)
        dec     %rdi
        jnz     1b
        ret

        function recurrence_in_memory   # what is stored is loaded two passes later
1:      vmovsd  (%rsi), %xmm0
        vaddsd  %xmm1, %xmm0, %xmm0
        vmovsd  %xmm0, 16(%rsi)
        add     $8, %rsi
        dec     %rdi
        jnz     1b
        ret

        function other_addresses        # as far apart as no pass reaches
1:      vmovsd  (%rsi), %xmm0
        vaddsd  %xmm1, %xmm0, %xmm0
        vmovsd  %xmm0, (%rdx)
        add     $8, %rsi
        add     $8, %rdx
        dec     %rdi
        jnz     1b
        ret

        function many_nops              # nothing but places in the front end: 12 in all
1:      .rept   11
        nop
        .endr
        dec     %rdi
        jnz     1b
        ret

        function unaligned              # of three loads 8 byte apart two are not aligned
1:      vmovupd -8(%rsi), %zmm0
        vmovupd (%rsi), %zmm1
        vmovupd 8(%rsi), %zmm2
        add     $64, %rsi
        dec     %rdi
        jnz     1b
        ret

        function unknown                # LLVM has no times of tiles
1:      tdpbssd %tmm0, %tmm1, %tmm2
        dec     %rdi
        jnz     1b
        ret

        function branches
1:      cmp     %rax, %rdx
        je      2f
        vaddsd  %xmm1, %xmm0, %xmm0
2:      dec     %rdi
        jnz     1b
        ret
