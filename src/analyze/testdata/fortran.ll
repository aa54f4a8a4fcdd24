; As flang 19 describes a subroutine: everything is passed by its address, and there is no place for a result.
target triple = "x86_64-unknown-linux-gnu"

define void @daxpy_(ptr %0, ptr %1, ptr %2, ptr %3) !dbg !5 {
    #dbg_declare(ptr %0, !13, !DIExpression(), !18)
    #dbg_declare(ptr %1, !14, !DIExpression(), !18)
    #dbg_declare(ptr %2, !15, !DIExpression(), !18)
    #dbg_declare(ptr %3, !16, !DIExpression(), !18)
  ret void, !dbg !18
}

!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!1}

!1 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !4, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!4 = !DIFile(filename: "daxpy.f90", directory: ".")
!5 = distinct !DISubprogram(name: "daxpy", linkageName: "daxpy_", scope: !4, file: !4, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !3)
!6 = !DISubroutineType(cc: DW_CC_normal, types: !7)
!7 = !{!8, !9, !10, !11}
!8 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!9 = !DIBasicType(name: "real", size: 64, encoding: DW_ATE_float)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, elements: !12)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, elements: !12, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref))
!12 = !{!17}
!13 = !DILocalVariable(name: "n", arg: 1, scope: !5, file: !4, line: 2, type: !8)
!14 = !DILocalVariable(name: "s", arg: 2, scope: !5, file: !4, line: 3, type: !9)
!15 = !DILocalVariable(name: "x", arg: 3, scope: !5, file: !4, line: 4, type: !10)
!16 = !DILocalVariable(name: "y", arg: 4, scope: !5, file: !4, line: 4, type: !11)
!17 = !DISubrange(count: -1)
!18 = !DILocation(line: 9, column: 1, scope: !5)
